import { ConfigurationError, type Env } from './env.ts'

/** Stand-ins that let development and tests run with nothing configured. Never used in production. */
const developmentSecrets = {
  siteSecret: 'development-only-secret-of-this-site-0000',
  sitePassword: 'tidings',
  editorApiKey: 'tdk_development0000000000000000000000000000',
} as const

const editorKeyCharacters = 32

export type Secrets = {
  /** Signs the gate and reader cookies. */
  siteSecret: string
  /** The shared password of the gate; empty lets nobody pass. */
  sitePassword: string
  /** A first editor key with every scope; empty for none. */
  editorApiKey: string
}

/** Takes the secrets from the environment; in production each missing one stops the boot by name. */
export function readSecrets(env: Env): Secrets {
  if (env.NODE_ENV !== 'production') {
    return {
      siteSecret: env.SITE_SECRET ?? developmentSecrets.siteSecret,
      sitePassword: env.SITE_PASSWORD ?? developmentSecrets.sitePassword,
      editorApiKey: env.EDITOR_API_KEY ?? developmentSecrets.editorApiKey,
    }
  }
  const sitePassword = env.SITE_PASSWORD ?? (env.SITE_GATE === 'off' ? '' : undefined)
  if (env.SITE_SECRET === undefined || sitePassword === undefined) {
    const missing = [
      ...(env.SITE_SECRET === undefined ? ['SITE_SECRET (at least 32 random characters)'] : []),
      ...(sitePassword === undefined ? ['SITE_PASSWORD (what readers type at the gate)'] : []),
    ]
    throw new ConfigurationError(`In production these settings must be set:\n  ${missing.join('\n  ')}`)
  }
  const editorApiKey = env.EDITOR_API_KEY ?? ''
  if (editorApiKey !== '' && editorApiKey.length < editorKeyCharacters) {
    throw new ConfigurationError(
      `EDITOR_API_KEY must have at least ${editorKeyCharacters} characters in production, or be empty`,
    )
  }
  return { siteSecret: env.SITE_SECRET, sitePassword, editorApiKey }
}
