"""Nominatim beside us, in process: `serve PROJECT` answers rounds of reverse geocoding line by line.

NOMINATIM_DATABASE_DSN names the database. CPU is that of this process and of the database's, which both work for it.
"""

import glob
import os
import sys
import time

import nominatim_api as napi
from line_server import serve

TICKS = os.sysconf("SC_CLK_TCK")


def database_cpu(postmaster):
    """CPU seconds of the database server and its children, ended ones included."""
    total = 0
    for path in glob.glob("/proc/[0-9]*/stat"):
        try:
            with open(path) as file:
                text = file.read()
        except OSError:
            continue
        pid = int(text.split(" ", 1)[0])
        fields = text[text.rindex(")") + 2 :].split()
        if pid == postmaster or int(fields[1]) == postmaster:
            total += int(fields[11]) + int(fields[12])
            if pid == postmaster:
                total += int(fields[13]) + int(fields[14])
    return total / TICKS


class Engine:
    def __init__(self, project, postmaster):
        self.api = napi.NominatimAPI(project)
        self.postmaster = int(postmaster)

    def reverse(self, request):
        found = 0
        cpu, peer = time.process_time(), database_cpu(self.postmaster)
        for lng, lat in request["places"]:
            result = self.api.reverse((lng, lat), address_details=True, max_rank=30)
            found += result is not None
        return {
            "cpuS": time.process_time() - cpu + database_cpu(self.postmaster) - peer,
            "found": found,
        }


if __name__ == "__main__":
    engine = Engine(sys.argv[2], sys.argv[3])
    serve({"reverse": engine.reverse, "hello": lambda _: {}})
