"""A walker inside a loop of PyTorch: walker_in_pytorch.py DATABASE RUN DIM.

A small network of yours orders the paths that a walker plans. It sees the walker's log-probability and the TransE
vectors of where each path ends, and learns here to prefer ends with many edges: put your own reward in its place.
"""

import sys

import torch

import kgwalk

database, run, dim = sys.argv[1], sys.argv[2], int(sys.argv[3])
planner = kgwalk.Planner.open(database, run)
graph = planner.graph
with kgwalk.Store.open(database) as store:
    tables = kgwalk.EmbeddingTables.open(store, "transe", dim)
if tables is None:
    sys.exit(f"{database} has no vectors that are {dim} wide")
vectors = torch.from_numpy(tables.entities.copy())  # the engine's memory cannot be written, PyTorch's can
degrees = torch.tensor([len(graph.out_edges(entity)) for entity in range(graph.num_connected)], dtype=torch.float32)

torch.manual_seed(1)
ranker = torch.nn.Sequential(torch.nn.Linear(dim + 1, 32), torch.nn.Tanh(), torch.nn.Linear(32, 1))
optimizer = torch.optim.Adam(ranker.parameters(), lr=0.01)
losses = []
for start in graph.entity_names()[:30]:
    paths = planner.plan(start=start, k=5)
    if len(paths) < 2:
        continue
    ends = torch.tensor([graph.entity(path.hops[-1].tail) for path in paths])
    walked = torch.tensor([[path.log_prob] for path in paths], dtype=torch.float32)
    scores = ranker(torch.cat([vectors[ends], walked], dim=1)).squeeze(1)
    wanted = torch.softmax(torch.log1p(degrees[ends]), dim=0)
    loss = torch.nn.functional.cross_entropy(scores, wanted)
    optimizer.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]
    optimizer.step()
    losses.append(loss.item())
print(f"{len(losses)} steps, loss {losses[0]:.3f} to {losses[-1]:.3f}, torch {torch.__version__}")
