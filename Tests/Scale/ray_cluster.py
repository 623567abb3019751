#!/usr/bin/env python3
"""Runs Examples/ray/corpus.py on a cluster of three nodes of this machine, one of which is killed in the middle.

    ray_cluster.py [--calm] corpus.py OPTION...

With --calm there are two nodes with a processor each, none is killed, and the time that the run took is told.
"""

import subprocess
import sys
import time
import warnings

warnings.filterwarnings("ignore")
from ray.cluster_utils import Cluster  # noqa: E402

script, *options = sys.argv[1:]
is_calm = script == "--calm"
if is_calm:
    script, *options = options
cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0 if is_calm else 1})
nodes = [cluster.add_node(num_cpus=1) for _ in range(2)]
cluster.wait_for_nodes()
place = options.index("--") if "--" in options else len(options)
options[place:place] = ["--address", cluster.address]
start = time.time()
process = subprocess.Popen([sys.executable, script, *options], stderr=subprocess.PIPE, text=True)
for line in process.stderr:
    sys.stderr.write(line)
    if not is_calm and nodes and line.startswith("2 of "):
        cluster.remove_node(nodes.pop(), allow_graceful=False)
        print("a node was killed", file=sys.stderr, flush=True)
code = process.wait()
if is_calm:
    print(f"took {time.time() - start:.1f} s", file=sys.stderr, flush=True)
cluster.shutdown()
sys.exit(code)
