// Vercel's ai with its default, the responses, and with chat completions: node vercel_client.mjs URL
import assert from 'node:assert';
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, Output, streamText } from 'ai';
import { z } from 'zod';

const openai = createOpenAI({ baseURL: process.argv[2] + '/v1', apiKey: 'none' });
const question = 'I love Inception.';

for (const [name, model] of [['responses', openai('films')], ['chat completions', openai.chat('films')]]) {
  const { text, response } = await generateText({ model, maxRetries: 0, system: 'You know films.', prompt: question });
  assert(text);
  const on = await generateText({ model, maxRetries: 0,
    messages: [{ role: 'user', content: question }, ...response.messages, { role: 'user', content: 'Who directed it?' }] });
  assert(on.text);
  let streamed = '';
  const stream = streamText({ model, maxRetries: 0, prompt: question });
  for await (const piece of stream.textStream) streamed += piece;
  assert.equal(streamed, text);
  const { output } = await generateText({ model, maxRetries: 0, prompt: question,
    output: Output.object({ schema: z.object({ answer: z.string(), entities: z.array(z.string()), kind: z.string() }) }) });
  assert(output.entities.length === 1 && output.answer.includes(output.entities[0]), JSON.stringify(output));
  console.log(`ai: ${name} whole, streamed, gone on from and as an object`);
}
