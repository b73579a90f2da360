import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { repositoryRoot } from '../process/repository.ts'

/** Every setting in `.env.example`. A site of tests ignores those in the environment of this process. */
const settingNames = [
  ...readFileSync(join(repositoryRoot, '.env.example'), 'utf8').matchAll(/^#([A-Z_]+)=/gm),
].map(([, name = '']) => name)

/** The API's own defaults in development, repeated here to print them. */
export const developmentDefaults = {
  SITE_PASSWORD: 'tidings',
  EDITOR_API_KEY: 'tdk_development0000000000000000000000000000',
}

/** The API's own defaults everywhere, repeated here to print them. */
export const appDefaults = { APP_ID: 'app_tidings', APP_PUBLIC_KEY: 'pk_tidings' }

/** The member of the seeded content. */
export const seededLogin = { email: 'reader@tidings.example', password: 'tidings-reader' }

/** The owner of the seeded desk. */
export const seededOwner = { email: 'owner@tidings.example' }

/**
 * Loads `.env` from the repository root, if it exists. Variables of the shell win; returns the names of those that have
 * another value there.
 */
export function loadEnvFile(path = join(repositoryRoot, '.env')): string[] {
  if (!existsSync(path)) return []
  const stored = parseEnv(readFileSync(path, 'utf8'))
  const ignored = Object.keys(stored).filter((name) => (process.env[name] ?? stored[name]) !== stored[name])
  process.loadEnvFile(path)
  return ignored
}

/** Returns the environment of this process without the settings of the site. */
export function environmentWithoutSettings(): NodeJS.ProcessEnv {
  const env = { ...process.env }
  for (const name of settingNames) delete env[name]
  return env
}

/** Returns a port from the environment. Throws with the setting's name when it is invalid. */
export function portFrom(name: string, fallback: number): number {
  const text = process.env[name]
  if (!text) return fallback
  const port = Number(text)
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port
  throw new Error(`${name} is '${text}', which is not a port. Use 0 (any free port) to 65535.`)
}

/** Returns the folder of the database, the pictures and the logs. */
export function dataDirFrom(env: NodeJS.ProcessEnv): string {
  return resolve(repositoryRoot, env.DATA_DIR || '.data')
}
