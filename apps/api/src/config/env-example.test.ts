import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { describe, expect, it } from 'vitest'
import { readSettings } from './env.ts'

const root = join(import.meta.dirname, '../../../..')
// Variables that the project's programs pass to each other, or of the system.
const notSettings =
  /^(TIDINGS_|TESTCONTAINERS_|DOCKER_HOST$|VITEST_|PATH$|LD_LIBRARY_PATH$|TMPDIR$|NODE_COMPILE_CACHE$)/

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

/** Returns the settings of `.env.example`, all uncommented. */
function exampleSettings() {
  return parseEnv(read('.env.example').replace(/^#(?=[A-Z])/gm, ''))
}

function namesIn(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].flatMap(([, name = '']) => (notSettings.test(name) ? [] : [name]))
}

/** Returns the settings that the launcher, the emulators or docker compose read. */
function settingsInUse(): string[] {
  const sources = ['packages/launcher/src', 'packages/emulators/src'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => read(`${folder}/${name}`)),
  )
  return [
    ...namesIn(sources.join('\n'), /(?:\benv\??\.|portFrom\(')([A-Z][A-Z_]+)/g),
    ...namesIn(read('docker-compose.yml'), /\$\{([A-Z][A-Z_]+)/g),
  ]
}

describe('.env.example', () => {
  it('contains every setting that the launcher, the emulators and docker compose read', () => {
    const used = settingsInUse()

    expect(used.length).toBeGreaterThan(10)
    expect(Object.keys(exampleSettings())).toEqual(expect.arrayContaining(used))
  })

  it('is valid with every setting uncommented', () => {
    const settings = readSettings({ ...exampleSettings(), SITE_PASSWORD: 'open' })

    expect(settings).toEqual({ ...readSettings({}), secrets: { sitePassword: 'open' } })
  })
})
