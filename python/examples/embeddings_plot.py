"""Embeds a graph and plots its entities in two dimensions: embeddings_plot.py DATABASE PICTURE."""

import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import kgwalk

database, picture = sys.argv[1:3]
with kgwalk.Store.open(database, write=True) as store:
    graph = store.load_graph()
    tables = kgwalk.EmbeddingTables.open(store, "transe", 32) or kgwalk.embed_graph(store, embedding={"dim": 32, "epochs": 50})

vectors = tables.entities  # float32 [entities, 32], a view of the engine's memory
centered = vectors - vectors.mean(axis=0)
_, _, axes = np.linalg.svd(centered, full_matrices=False)
points = centered @ axes[:2].T

degrees = np.diff(graph.offsets)[: len(points)]
figure, plot = plt.subplots(figsize=(8, 8))
plot.scatter(points[:, 0], points[:, 1], s=4 + 2 * degrees, alpha=0.5)
for entity in np.argsort(-degrees.astype(np.int64))[:12]:
    plot.annotate(graph.entity_name(int(entity)), points[entity])
plot.set_title(f"{len(points)} entities, {tables.dim} dimensions seen in two")
figure.savefig(picture)
print(f"{picture}: {len(points)} entities")
