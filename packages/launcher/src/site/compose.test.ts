import { createECDH } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { repositoryRoot } from '../process/repository.ts'

const service = z.object({
  mem_limit: z.string(),
  pids_limit: z.number(),
  cap_drop: z.array(z.string()),
  cap_add: z.array(z.string()).default([]),
  security_opt: z.array(z.string()),
  read_only: z.boolean().default(false),
  environment: z.record(z.string(), z.string()).default({}),
  depends_on: z.record(z.string(), z.unknown()).optional(),
})

const text = readFileSync(join(repositoryRoot, 'docker-compose.yml'), 'utf8')
const { services, configs } = z
  .object({
    services: z.record(z.string(), service),
    configs: z.record(z.string(), z.object({ file: z.string() })),
  })
  .parse(parse(text, { merge: true }))

const neededCapabilities: Readonly<Record<string, readonly string[]>> = {
  postgres: ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'SETGID', 'SETUID'],
  caddy: ['NET_BIND_SERVICE'],
}

describe.each(Object.entries(services))('the service %s', (name, limits) => {
  test('has limits of memory and processes', () => {
    expect(limits.mem_limit).toMatch(/\d[gm]\}?$/)
    expect(limits.pids_limit).toBeGreaterThan(0)
  })

  test('has no capabilities but those that it needs, and can gain none', () => {
    expect(limits.cap_drop).toEqual(['ALL'])
    expect(limits.security_opt).toEqual(['no-new-privileges:true'])
    expect(limits.cap_add).toEqual(neededCapabilities[name] ?? [])
  })

  test('writes to its volumes only, except for the database', () => {
    expect(limits.read_only).toBe(name !== 'postgres')
  })
})

test.each(Object.entries(configs))(
  'the configuration %s is a file: Compose cannot write inline content into a read-only container',
  (_, { file }) => {
    expect(existsSync(join(repositoryRoot, file))).toBe(true)
  },
)

test('caddy depends on no service: Compose would replace it with the API, and requests could not wait', () => {
  expect(services.caddy?.depends_on).toBeUndefined()
})

test('only COMPOSE_EMULATORS connects the site to emulators: a profile may be for something else', () => {
  expect(text).not.toMatch(/COMPOSE_PROFILES[:}]/)
})

describe('notifications in the browser', () => {
  // The values of these settings with the emulators.
  const defaults = (name: string, service = 'api') => {
    const value = services[service]?.environment[name] ?? ''
    const given = new RegExp(`^\\$\\{${name}:-(.*)\\}$`).exec(value)?.[1] ?? ''
    return /^\$\{COMPOSE_EMULATORS:\+(.*)\}$/.exec(given)?.[1]
  }

  test.each(['api', 'worker', 'seed'])(
    'are signed by the %s with one pair of keys in the sandbox',
    (name) => {
      const keyPair = createECDH('prime256v1')
      keyPair.setPrivateKey(defaults('VAPID_PRIVATE_KEY', name) ?? '', 'base64url')
      expect(defaults('VAPID_PUBLIC_KEY', name)).toBe(keyPair.getPublicKey('base64url'))
    },
  )

  test('go to the emulator by a name that browsers and the processes share', () => {
    const url = defaults('PUSH_SERVICE_URL')
    expect(url).toBe(defaults('STRIPE_API_URL'))
    expect(url).toMatch(/^http:\/\/sandbox\.localhost:/)
    expect(url).toBe(services.sandbox?.environment.STRIPE_API_URL)
  })
})
