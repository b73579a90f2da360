import path from 'node:path'
import { testDatabaseSettings } from '@tidings/launcher/test-database'
import { type Config, readConfig } from '../src/config/config.ts'
import { ConfigurationError, readSettings } from '../src/config/env.ts'
import { locationsFrom } from '../src/locations.ts'
import { randomIds } from '../src/platform/ids.ts'

export const testEditorKey = 'tdk_test000000000000000000000000000000000000'

/** Returns a test's configuration, based on the development defaults. */
export function testConfig(databaseUrl: string, dataDir: string, webApp: string, env = {}): Config {
  const locations = {
    ...locationsFrom(new URL('../src/main.ts', import.meta.url).href),
    webApp,
    deskApp: path.join(webApp, 'desk'),
    client: webApp,
    widget: webApp,
  }
  return readConfig(
    readSettings({
      NODE_ENV: 'test',
      ...testDatabaseSettings(databaseUrl),
      DATABASE_CONNECTIONS: '5',
      // Opening one takes seconds on a busy machine.
      DATABASE_WAIT_SECONDS: '60',
      DATA_DIR: dataDir,
      EDITOR_API_KEY: testEditorKey,
      RATE_GATE_TRIES_PER_MINUTE: '1000',
      RATE_GATE_TRIES_IN_ALL_PER_HOUR: '100000',
      RATE_ENTRY_BOX_PER_MINUTE: '1000',
      RATE_NEW_READERS_PER_HOUR: '100000',
      RATE_SEARCHES_PER_MINUTE: '100000',
      RATE_DESK_FAILURES_PER_MINUTE: '1000',
      RATE_DESK_SIGN_INS_PER_MINUTE: '100000',
      RATE_LOGINS_PER_MINUTE: '100000',
      RATE_SIGNUPS_PER_MINUTE: '100000',
      RATE_CODES_PER_MINUTE: '100000',
      RATE_CODE_TRIES_PER_MINUTE: '100000',
      RATE_WRONG_CODES_PER_HOUR: '100000',
      RATE_WRONG_CODES_IN_ALL_PER_HOUR: '100000',
      RATE_COMMENTS_PER_MINUTE: '100000',
      RATE_PAYMENTS_PER_MINUTE: '100000',
      RATE_MEMBER_WRITES_PER_MINUTE: '100000',
      RATE_PROFILE_IMAGES_PER_HOUR: '100000',
      RATE_PUSH_DEVICES_PER_HOUR: '100000',
      RATE_NETWORK_PROFILE_IMAGES_PER_HOUR: '100000',
      PASSWORD_MEMORY_KIB: '1024',
      PASSWORD_PASSES: '1',
      ...env,
    }),
    locations,
  )
}

export const databaseUrl = 'postgres://user@127.0.0.1:5432/tidings'

const locations = {
  webApp: '/nowhere/web',
  deskApp: '/nowhere/desk',
  client: '/nowhere/client',
  widget: '',
  migrations: '/nowhere/migrations',
  hasher: '/nowhere/hasher',
  pdfCompiler: '/nowhere/pdf-compiler',
  reportReader: '/nowhere/report-reader',
  heicDecoder: '/nowhere/heic-decoder',
}

/** The settings that production requires. */
export const production = {
  NODE_ENV: 'production',
  SITE_URL: 'https://news.example.com',
  SITE_SECRET: randomIds.secret(),
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
