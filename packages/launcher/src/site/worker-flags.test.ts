import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repositoryRoot } from '../process/repository.ts'
import { workerFlags } from './worker-flags.ts'

test('a worker in Docker has the same flags', () => {
  const compose = readFileSync(join(repositoryRoot, 'docker-compose.yml'), 'utf8')
  expect(compose).toContain(`command: [node, ${workerFlags.join(', ')}, apps/api/dist/worker.js]`)
})
