"""OSRM beside us. `build EXTRACT FOLDER MLD|CH` makes its map, `serve FOLDER MLD|CH` answers requests line by line."""

import glob
import os
import subprocess
import sys
import time

import osrm
from line_server import serve, timed_round

package = os.path.dirname(osrm.__file__)
binary = lambda name: os.path.join(package, "bin", name)


def build(extract, folder, algorithm):
    os.makedirs(folder, exist_ok=True)
    base = os.path.join(folder, "map.osrm")
    profile = os.path.join(package, "share", "profiles", "car.lua")
    run = lambda *command: subprocess.run(command, check=True, stdout=sys.stderr)
    run(binary("osrm-extract"), "-p", profile, "-o", base, extract)
    if algorithm == "MLD":
        run(binary("osrm-partition"), base)
        run(binary("osrm-customize"), base)
    else:
        run(binary("osrm-contract"), base)


class Engine:
    def __init__(self, folder, algorithm):
        self.folder, self.algorithm = folder, algorithm
        self.load({})

    def load(self, _request):
        cpu, wall = time.process_time(), time.perf_counter()
        self.engine = osrm.OSRM(
            storage_config=os.path.join(self.folder, "map.osrm"),
            use_shared_memory=False,
            algorithm=self.algorithm,
        )
        return {"cpuS": time.process_time() - cpu, "wallS": time.perf_counter() - wall}

    def round(self, request):
        full = request["answer"] == "full"
        shape = {"overview": "full", "geometries": "polyline"} if full else {"overview": "false"}

        def ask(pair):
            parameters = osrm.RouteParameters(
                coordinates=[(pair[1], pair[0]), (pair[3], pair[2])],
                steps=full,
                generate_hints=False,
                **shape,
            )
            try:
                return self.engine.Route(parameters)
            except RuntimeError:
                return None

        def read(found):
            route = found["routes"][0]
            return [route["distance"], route["duration"]]

        return timed_round(request["pairs"], request.get("repeat", 1), ask, read)

    def table(self, request):
        """Tables between all places; seconds (and metres, where they are wanted) of the last, row by row."""
        tables = ["duration", "distance"] if request["metres"] else ["duration"]
        parameters = osrm.TableParameters(
            coordinates=[(lng, lat) for lat, lng in request["places"]], annotations=tables, generate_hints=False
        )
        cpu = time.process_time()
        for _ in range(request["repeat"]):
            found = self.engine.Table(parameters)
        cpu = time.process_time() - cpu
        rows = lambda name: [[cell for cell in row] for row in found[name]]
        return {"cpuS": cpu, "seconds": rows("durations"), **({"metres": rows("distances")} if request["metres"] else {})}

    def nodes(self, request):
        """OpenStreetMap nodes along the way of each pair, from before its start to behind its end."""
        ways = []
        for pair in request["pairs"]:
            parameters = osrm.RouteParameters(
                coordinates=[(pair[1], pair[0]), (pair[3], pair[2])], annotations=["nodes"], overview="false"
            )
            leg = self.engine.Route(parameters)["routes"][0]["legs"][0]
            ways.append([int(node) for node in leg["annotation"]["nodes"]])
        return {"nodes": ways}

    def steps(self, request):
        """By pair the metres of the route, and the maneuvers of its steps; null without a route."""
        ways = []
        for pair in request["pairs"]:
            parameters = osrm.RouteParameters(
                coordinates=[(pair[1], pair[0]), (pair[3], pair[2])], steps=True, generate_hints=False, overview="false"
            )
            try:
                route = self.engine.Route(parameters)["routes"][0]
            except RuntimeError:
                ways.append(None)
                continue
            turn = lambda at: f"{at['type']} {at['modifier']}" if "modifier" in at else str(at["type"])
            told = [[turn(step["maneuver"]), str(step["name"])] for step in route["legs"][0]["steps"]]
            ways.append({"metres": route["distance"], "steps": told})
        return {"ways": ways}


if __name__ == "__main__":
    verb, *rest = sys.argv[1:]
    if verb == "build":
        build(*rest)
    else:
        engine = Engine(*rest)
        asked = {name: getattr(engine, name) for name in ("load", "round", "table", "nodes", "steps")}
        serve({**asked, "hello": lambda _: {}})
