import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { stateDiagram } from './state-diagram.ts'

it('the README shows the diagram of the reducer', async () => {
  const readme = await readFile(`${import.meta.dirname}/../../../README.md`, 'utf8')
  expect(readme).toContain(stateDiagram())
})
