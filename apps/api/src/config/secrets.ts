import { ConfigurationError } from './env.ts'
import type { Settings } from './settings.ts'

/** Secrets for development and tests, so that they run without settings. Never used in production. */
const developmentSecrets: Secrets = {
  siteSecret: 'development-only-secret-of-this-site-0000',
  sitePassword: 'tidings',
  editorApiKey: 'tdk_development0000000000000000000000000000',
}

const editorKeyCharacters = 32

export type Secrets = {
  siteSecret: string
  /** The shared password of the gate; an empty one locks the site. */
  sitePassword: string
  /** A first editor key with every scope; empty for none. */
  editorApiKey: string
}

/** Returns the secrets; in production each missing one stops the boot by name. */
export function readSecrets({ environment, secrets, gate }: Settings): Secrets {
  const { siteSecret, sitePassword = gate.on ? undefined : '', editorApiKey } = secrets
  if (environment !== 'production') {
    return {
      siteSecret: siteSecret ?? developmentSecrets.siteSecret,
      sitePassword: secrets.sitePassword ?? developmentSecrets.sitePassword,
      editorApiKey: editorApiKey ?? developmentSecrets.editorApiKey,
    }
  }
  if (siteSecret === undefined || sitePassword === undefined) {
    const missing = [
      ...(siteSecret === undefined ? ['SITE_SECRET (at least 32 random characters)'] : []),
      ...(sitePassword === undefined ? ['SITE_PASSWORD (what readers type at the gate)'] : []),
    ]
    throw new ConfigurationError(`Production requires these settings:\n  ${missing.join('\n  ')}`)
  }
  if (editorApiKey !== undefined && editorApiKey.length < editorKeyCharacters) {
    throw new ConfigurationError(
      `EDITOR_API_KEY must have at least ${editorKeyCharacters} characters in production, or be empty`,
    )
  }
  return { siteSecret, sitePassword, editorApiKey: editorApiKey ?? '' }
}
