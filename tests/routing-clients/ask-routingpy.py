"""Asks routingpy's OSRM what stands in the argument, and prints its results as JSON.

`[{"call": "directions", "options": {"locations": [[0, 0], [0, 1]]}}]`
"""

import json
import sys

from routingpy import OSRM
from routingpy.exceptions import RouterError
from routingpy.matrix import Matrix

router = OSRM(base_url=sys.argv[1] + "/v1/osrm")


def shown(found):
    if isinstance(found, Matrix):
        return {"durations": found.durations, "distances": found.distances}
    return {"geometry": found.geometry, "duration": found.duration, "distance": found.distance}


def answer(asked):
    try:
        found = getattr(router, asked["call"])(**asked["options"])
    except RouterError as error:
        return {"error": type(error).__name__, "status": error.status, "body": error.message}
    return [shown(each) for each in found] if type(found).__name__ == "Directions" else shown(found)


print(json.dumps([answer(asked) for asked in json.loads(sys.argv[2])]))
