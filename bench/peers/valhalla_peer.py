"""Valhalla beside us. `build EXTRACT FOLDER` makes its tiles, `serve FOLDER` answers requests line by line."""

import json
import mmap
import os
import random
import subprocess
import sys
import tarfile
import time

import valhalla
from line_server import serve, timed_round

# Of a traffic tile, before its 64-bit records; valhalla/baldr/traffictile.h.
HEADER_BYTES = 32


def settings(folder):
    config = valhalla.get_config(tile_extract="", tile_dir="", verbose=False)
    folder = os.path.abspath(folder)
    config["mjolnir"]["tile_dir"] = os.path.join(folder, "tiles")
    config["mjolnir"]["tile_extract"] = os.path.join(folder, "tiles.tar")
    config["mjolnir"]["traffic_extract"] = os.path.join(folder, "traffic.tar")
    for part in config.values():
        if isinstance(part, dict) and "logging" in part:
            part["logging"] = {"type": ""}
    return config


def build(extract, folder):
    os.makedirs(os.path.join(folder, "tiles"), exist_ok=True)
    path = os.path.join(folder, "valhalla.json")
    with open(path, "w") as file:
        json.dump(settings(folder), file)
    scripts = os.path.dirname(sys.executable)
    environment = {**os.environ, "PATH": scripts + os.pathsep + os.environ["PATH"]}
    run = lambda *command: subprocess.run(command, check=True, stdout=sys.stderr, env=environment)
    run(os.path.join(scripts, "valhalla_build_tiles"), "-c", path, extract)
    run(os.path.join(scripts, "valhalla_build_extract"), "-c", path, "-t", "-O")


class Engine:
    def __init__(self, folder):
        self.folder = folder
        self.load({})

    def load(self, _request):
        cpu, wall = time.process_time(), time.perf_counter()
        self.actor = valhalla.Actor(settings(self.folder))
        return {"cpuS": time.process_time() - cpu, "wallS": time.perf_counter() - wall}

    def round(self, request):
        if request["answer"] == "full":
            wanted = {"directions_type": "instructions", "shape_format": "polyline5"}
        else:
            wanted = {"directions_type": "none", "shape_format": "no_shape"}
        if request.get("live"):
            wanted["date_time"] = {"type": 0}

        def ask(pair):
            question = {
                "locations": [{"lat": pair[0], "lon": pair[1]}, {"lat": pair[2], "lon": pair[3]}],
                "costing": "auto",
                "units": "kilometers",
                **wanted,
            }
            try:
                return self.actor.route(json.dumps(question))
            except RuntimeError:
                return None

        def read(found):
            summary = json.loads(found)["trip"]["summary"]
            return [summary["length"] * 1000, summary["time"]]

        return timed_round(request["pairs"], request.get("repeat", 1), ask, read)

    def match(self, request):
        """CPU of `trace_attributes` over all questions; lines are read outside of the measured loop, one for each edge."""
        questions = request["questions"]
        answers = [None] * len(questions)
        cpu = time.process_time()
        for i, question in enumerate(questions):
            try:
                answers[i] = self.actor.trace_attributes(question)
            except RuntimeError:
                answers[i] = None
        cpu = time.process_time() - cpu
        return {"cpuS": cpu, "lines": [lines_of(answer) for answer in answers]}

    def isochrone(self, request):
        """CPU of `isochrone` over all questions; rings are read outside of the measured loop."""
        questions = request["questions"]
        answers = [None] * len(questions)
        cpu = time.process_time()
        for i, question in enumerate(questions):
            try:
                answers[i] = self.actor.isochrone(question)
            except RuntimeError:
                answers[i] = None
        cpu = time.process_time() - cpu
        return {"cpuS": cpu, "areas": [areas_of(answer) for answer in answers]}

    def update(self, request):
        """Writes speeds of a share of all edges into the traffic tiles, in place; returns the CPU that took.

        `clustered` writes runs of neighbouring records, else single ones all over the map.
        """
        draw = random.Random(request["seed"])
        with tarfile.open(os.path.join(self.folder, "traffic.tar")) as tar:
            members = [(m.offset_data + HEADER_BYTES, m.size) for m in tar if m.name.endswith(".gph")]
        records = [
            offset + 8 * i for offset, size in members for i in range((size - HEADER_BYTES) // 8)
        ]
        count = max(1, round(len(records) * request["share"]))
        if request["clustered"]:
            start = draw.randrange(len(records) - count + 1)
            chosen = records[start : start + count]
        else:
            chosen = draw.sample(records, count)
        # The speed holds for the whole edge: first of three parts, which ends at its end. In steps of 2 km/h.
        speeds = [draw.randrange(5, 25) for _ in chosen]
        values = [speed | speed << 7 | 255 << 28 for speed in speeds]
        words = [offset // 8 for offset in chosen]
        with open(os.path.join(self.folder, "traffic.tar"), "r+b") as file:
            memory = mmap.mmap(file.fileno(), 0)
            numbers = memoryview(memory).cast("Q")
            cpu, wall = time.process_time(), time.perf_counter()
            for word, value in zip(words, values):
                numbers[word] = value
            cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
            numbers.release()
            memory.close()
        return {"cpuS": cpu, "wallS": wall, "edges": count}


def areas_of(answer):
    """Polygons as lists of rings, a ring as lng, lat, lng, lat, ..."""
    if answer is None:
        return []
    polygons = []
    for feature in json.loads(answer)["features"]:
        shape = feature["geometry"]
        parts = shape["coordinates"] if shape["type"] == "MultiPolygon" else [shape["coordinates"]]
        if "Polygon" in shape["type"]:
            polygons += [[[degree for point in ring for degree in point] for ring in part] for part in parts]
    return polygons


def lines_of(answer):
    if answer is None:
        return []
    found = json.loads(answer)
    shape = decoded(found["shape"])
    return [
        [degree for point in shape[edge["begin_shape_index"] : edge["end_shape_index"] + 1] for degree in point]
        for edge in found["edges"]
    ]


def decoded(text):
    """Points [lng, lat] of an encoded polyline of precision 6."""
    numbers, value, shift = [], 0, 0
    for character in text:
        bits = ord(character) - 63
        value |= (bits & 31) << shift
        shift += 5
        if bits < 32:
            numbers.append(~(value >> 1) if value & 1 else value >> 1)
            value, shift = 0, 0
    points, lat, lng = [], 0, 0
    for north, east in zip(numbers[::2], numbers[1::2]):
        lat, lng = lat + north, lng + east
        points.append([lng / 1e6, lat / 1e6])
    return points


if __name__ == "__main__":
    verb, *rest = sys.argv[1:]
    if verb == "build":
        build(*rest)
    else:
        engine = Engine(*rest)
        serve(
            {
                "load": engine.load,
                "round": engine.round,
                "match": engine.match,
                "isochrone": engine.isochrone,
                "update": engine.update,
                "hello": lambda _: {},
            }
        )
