"""The conversation of a peer: one JSON request a line on stdin, one JSON answer a line on stdout, until stdin ends."""

import json
import os
import sys
import time


def serve(handlers):
    """`handlers`: name in the request's `do` -> function of the request. Libraries may print: that goes to stderr."""
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = handlers[request["do"]](request)
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        out.write(json.dumps(answer) + "\n")
        out.flush()


def timed_round(pairs, repeat, ask, read):
    """CPU of `ask` over all pairs; `read` makes [metres, seconds] of what it gave, outside of the measured loop."""
    found = [None] * len(pairs)
    took_ns = []
    cpu, wall = time.process_time(), time.perf_counter()
    for _ in range(repeat):
        for i, pair in enumerate(pairs):
            before = time.perf_counter_ns()
            found[i] = ask(pair)
            took_ns.append(time.perf_counter_ns() - before)
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    answers = [None if each is None else read(each) for each in found]
    return {"cpuS": cpu, "wallS": wall, "answers": answers, "tookMs": [ns / 1e6 for ns in took_ns]}
