import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { repositoryRoot } from './process/repository.ts'

const workspaceFile = z.object({ nodeVersion: z.string(), catalog: z.object({ node: z.string() }) })

test('pnpm checks engines against the Node that the install brings', async () => {
  const text = await readFile(join(repositoryRoot, 'pnpm-workspace.yaml'), 'utf8')
  const { nodeVersion, catalog } = workspaceFile.parse(parse(text))
  expect(nodeVersion).toBe(catalog.node)
})
