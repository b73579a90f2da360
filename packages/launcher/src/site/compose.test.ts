import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { repositoryRoot } from '../repository.ts'

const service = z.object({
  mem_limit: z.string(),
  pids_limit: z.number(),
  cap_drop: z.array(z.string()),
  cap_add: z.array(z.string()).default([]),
  security_opt: z.array(z.string()),
  read_only: z.boolean().default(false),
})

const text = readFileSync(join(repositoryRoot, 'docker-compose.yml'), 'utf8')
const { services } = z.object({ services: z.record(z.string(), service) }).parse(parse(text, { merge: true }))

describe.each(Object.entries(services))('the service %s', (name, limits) => {
  test('has limits of memory and processes', () => {
    expect(limits.mem_limit).toMatch(/\d[gm]\}?$/)
    expect(limits.pids_limit).toBeGreaterThan(0)
  })

  test('has no capabilities but those of its first set-up, and can gain none', () => {
    expect(limits.cap_drop).toEqual(['ALL'])
    expect(limits.security_opt).toEqual(['no-new-privileges:true'])
    expect(limits.cap_add).toEqual(
      name === 'postgres' ? ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'SETGID', 'SETUID'] : [],
    )
  })

  test('writes to its volumes only, except for the database', () => {
    expect(limits.read_only).toBe(name !== 'postgres')
  })
})
