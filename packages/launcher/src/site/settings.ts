import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { repositoryRoot } from '../repository.ts'

/** Every setting of the site, by `.env.example`. Tests start without those of the person who runs them. */
const settingNames = [
  ...readFileSync(join(repositoryRoot, '.env.example'), 'utf8').matchAll(/^#([A-Z_]+)=/gm),
].map(([, name = '']) => name)

/** What the API itself falls back to in development; said here so that it can be shown. */
export const developmentDefaults = {
  SITE_PASSWORD: 'tidings',
  EDITOR_API_KEY: 'tdk_development0000000000000000000000000000',
}

/** What the API falls back to everywhere, for the same reason. */
export const appDefaults = { APP_ID: 'app_tidings', APP_PUBLIC_KEY: 'pk_tidings' }

/** The account that is seeded wherever anything is. */
export const seededLogin = { email: 'reader@tidings.example', password: 'tidings-reader' }

/** Reads `.env` at the top of the checkout, if there is one. What is set outside already wins. */
export function loadEnvFile() {
  const path = join(repositoryRoot, '.env')
  if (existsSync(path)) process.loadEnvFile(path)
}

/** Returns the environment of this process without any setting of the site. */
export function environmentWithoutSettings(): NodeJS.ProcessEnv {
  const env = { ...process.env }
  for (const name of settingNames) delete env[name]
  return env
}

/** A port from the environment; throws naming the setting when it is none. */
export function portFrom(name: string, fallback: number): number {
  const text = process.env[name]
  if (!text) return fallback
  const port = Number(text)
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port
  throw new Error(`${name} is '${text}'; it takes a port from 0 (any free one) to 65535.`)
}

/** The folder of the database, the pictures and the logs. */
export function dataDirFrom(env: NodeJS.ProcessEnv): string {
  return resolve(repositoryRoot, env.DATA_DIR || '.data')
}
