import { ConfigurationError } from './env.ts'
import type { Settings } from './settings.ts'
import { developmentSecrets, weaknessOf } from './weak-secrets.ts'

const editorKeyCharacters = 32
const makeSecret = 'make one with `openssl rand -hex 32`'

export type Secrets = {
  siteSecret: string
  /** The shared password of the gate; an empty one locks the site. */
  sitePassword: string
  /** A first editor key with every scope; empty for none. */
  editorApiKey: string
}

/**
 * Returns the secrets. In production each missing, published or trivial one stops the boot by name; in development, those
 * of a site that other machines reach do. What readers type at the gate is the site's own choice.
 */
export function readSecrets(settings: Settings): Secrets {
  return settings.environment === 'production' ? productionSecrets(settings) : secretsForDevelopment(settings)
}

function productionSecrets({ secrets, gate }: Settings): Secrets {
  const { siteSecret, sitePassword = gate.on ? undefined : '', editorApiKey = '' } = secrets
  if (siteSecret === undefined || sitePassword === undefined) {
    const missing = [
      ...(siteSecret === undefined ? ['SITE_SECRET (at least 32 random characters)'] : []),
      ...(sitePassword === undefined ? ['SITE_PASSWORD (what readers type at the gate)'] : []),
    ]
    throw new ConfigurationError(`Production requires these settings:\n  ${missing.join('\n  ')}`)
  }
  if (editorApiKey !== '' && editorApiKey.length < editorKeyCharacters) {
    throw new ConfigurationError(
      `EDITOR_API_KEY must have at least ${editorKeyCharacters} characters in production, or be empty`,
    )
  }
  const weak = [
    ...weaknessNamed('SITE_SECRET', siteSecret),
    ...(editorApiKey === '' ? [] : weaknessNamed('EDITOR_API_KEY', editorApiKey)),
  ]
  if (weak.length > 0) throw new ConfigurationError(weak.join('\n'))
  return { siteSecret, sitePassword, editorApiKey }
}

function weaknessNamed(name: string, secret: string): string[] {
  const weakness = weaknessOf(secret)
  return weakness === null ? [] : [`${name} ${weakness}, so others can guess it: ${makeSecret}`]
}

function secretsForDevelopment({ secrets, http }: Settings): Secrets {
  const {
    siteSecret = developmentSecrets.siteSecret,
    sitePassword = developmentSecrets.sitePassword,
    editorApiKey = developmentSecrets.editorApiKey,
  } = secrets
  if (http.host !== undefined && !isThisMachine(http.host)) {
    const open = [
      ...(siteSecret === developmentSecrets.siteSecret ? ['SITE_SECRET'] : []),
      ...(editorApiKey === developmentSecrets.editorApiKey ? ['EDITOR_API_KEY'] : []),
    ]
    if (open.length > 0) {
      throw new ConfigurationError(
        `HOST makes this development site reachable from other machines, but these settings still have their published development values: ${open.join(' and ')}. Set ${open.join(' and ')} (${makeSecret}), or remove HOST.`,
      )
    }
  }
  return { siteSecret, sitePassword, editorApiKey }
}

function isThisMachine(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host)
}
