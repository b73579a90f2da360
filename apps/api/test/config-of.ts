import { type Config, readConfig } from '../src/config/config.ts'
import { ConfigurationError, readSettings } from '../src/config/env.ts'

export const databaseUrl = 'postgres://user@127.0.0.1:5432/tidings'

const locations = {
  webApp: '/nowhere/web',
  client: '/nowhere/client',
  widget: '',
  migrations: '/nowhere/migrations',
  hasher: '/nowhere/hasher',
  pdfCompiler: '/nowhere/pdf-compiler',
  heicDecoder: '/nowhere/heic-decoder',
}

/** The settings that production requires. */
export const production = {
  NODE_ENV: 'production',
  SITE_URL: 'https://news.example.com',
  SITE_SECRET: 'a-secret-of-more-than-32-characters-0000',
  SITE_PASSWORD: 'open sesame',
  DATABASE_URL: databaseUrl,
}

/** Returns the configuration for these settings alone. */
export function configOf(environment: Record<string, string | undefined>): Config {
  return readConfig(readSettings(environment), locations)
}

/** Returns the error message for these settings. */
export function refusalOf(environment: Record<string, string | undefined>): string {
  try {
    configOf(environment)
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message
    throw error
  }
  throw new Error('The settings were accepted')
}
