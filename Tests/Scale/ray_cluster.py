#!/usr/bin/env python3
"""Runs Examples/ray/corpus.py on a cluster of three nodes of this machine, one of which is killed in the middle.

    ray_cluster.py corpus.py OPTION...
"""

import subprocess
import sys
import warnings

warnings.filterwarnings("ignore")
from ray.cluster_utils import Cluster  # noqa: E402

cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
nodes = [cluster.add_node(num_cpus=1) for _ in range(2)]
cluster.wait_for_nodes()
script, *options = sys.argv[1:]
place = options.index("--") if "--" in options else len(options)
options[place:place] = ["--address", cluster.address]
process = subprocess.Popen([sys.executable, script, *options], stderr=subprocess.PIPE, text=True)
for line in process.stderr:
    sys.stderr.write(line)
    if nodes and line.startswith("2 of "):
        cluster.remove_node(nodes.pop(), allow_graceful=False)
        print("a node was killed", file=sys.stderr, flush=True)
code = process.wait()
cluster.shutdown()
sys.exit(code)
