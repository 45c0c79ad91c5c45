// Relations in everyday words, as the server knows them of each model.

import { get } from './api.js';

let labels = new Map();

export async function learnWords(model) {
  const found = await get('relations', { count: 10000, model });
  labels = new Map(found.relations.map((one) => [one.relation, one.label]));
}

export function label(relation) {
  return labels.get(relation) ?? relation.replace(/^~/, '← ').replaceAll('_', ' ');
}
