import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { describe, expect, test } from 'vitest'
import { readEnv } from './env.ts'

const root = join(import.meta.dirname, '../../../..')
// Between the project's own programs, or the system's own: nobody sets these for a site.
const notSettings = /^(TIDINGS_|TESTCONTAINERS_|DOCKER_HOST$|VITEST_|PATH$|LD_LIBRARY_PATH$)/

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

/** What the file would set if every setting in it were switched on. */
function exampleSettings() {
  return parseEnv(read('.env.example').replace(/^#(?=[A-Z])/gm, ''))
}

function namesIn(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].flatMap(([, name = '']) => (notSettings.test(name) ? [] : [name]))
}

/** Every setting that the API, the launcher, the emulators or docker compose reads. */
function settingsInUse(): string[] {
  const sources = ['packages/launcher/src', 'packages/emulators/src'].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => read(`${folder}/${name}`)),
  )
  return [
    ...namesIn(read('apps/api/src/config/env.ts'), /^ {2}([A-Z][A-Z_]+): /gm),
    ...namesIn(sources.join('\n'), /(?:\benv\??\.|portFrom\(')([A-Z][A-Z_]+)/g),
    ...namesIn(read('packages/launcher/src/settings.ts'), /^\s+'([A-Z][A-Z_]+)',$/gm),
    ...namesIn(read('docker-compose.yml'), /\$\{([A-Z][A-Z_]+)/g),
  ]
}

describe('.env.example', () => {
  test('it names every setting that is read, and no other', () => {
    const used = new Set(settingsInUse())
    expect(used.size).toBeGreaterThan(30)
    expect(Object.keys(exampleSettings()).sort()).toEqual([...used].sort())
  })

  test('it states the defaults that the API really has', () => {
    const example = exampleSettings()
    for (const [name, value] of Object.entries(readEnv({})))
      expect(`${name}=${example[name]}`).toBe(`${name}=${value}`)
  })

  test('with every setting switched on and the empty ones left empty it can be used', () => {
    expect(readEnv({ ...exampleSettings(), SITE_PASSWORD: 'open' })).toMatchObject({
      PORT: 3000,
      SITE_PASSWORD: 'open',
    })
  })
})
