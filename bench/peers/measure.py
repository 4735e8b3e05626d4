"""Runs a command and writes what it used as JSON: measure.py RESULT.json COMMAND...

CPU seconds are those of the command and all its descendants; the peak is that of the largest single process.
"""

import json
import resource
import subprocess
import sys
import time

began = time.monotonic()
code = subprocess.run(sys.argv[2:], stdout=sys.stderr).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
with open(sys.argv[1], "w") as result:
    json.dump(
        {
            "cpuS": used.ru_utime + used.ru_stime,
            "wallS": time.monotonic() - began,
            "peakMib": used.ru_maxrss / 1024,
        },
        result,
    )
sys.exit(code)
