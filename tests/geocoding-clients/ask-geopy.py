"""Asks geopy's Nominatim and Photon what stands in the argument, and prints its locations as JSON.

`[{"geocoder": "Nominatim", "call": "geocode", "query": "Storgatan", "options": {}}]`
"""

import json
import sys

from geopy.exc import GeopyError
from geopy.geocoders import Nominatim, Photon
from geopy.location import Location

domain = sys.argv[1]
geocoders = {
    "Nominatim": Nominatim(scheme="http", domain=domain + "/v1/nominatim", user_agent="test"),
    "Photon": Photon(scheme="http", domain=domain + "/v1/photon", user_agent="test"),
}


def shown(found):
    if isinstance(found, Location):
        place = [found.latitude, found.longitude]
        return {"address": found.address, "place": place, "raw": found.raw}
    return found if found is None else [shown(each) for each in found]


def answer(asked):
    call = getattr(geocoders[asked["geocoder"]], asked["call"])
    try:
        return shown(call(asked["query"], **asked["options"]))
    except GeopyError as error:
        return {"error": type(error).__name__}


print(json.dumps([answer(asked) for asked in json.loads(sys.argv[2])]))
