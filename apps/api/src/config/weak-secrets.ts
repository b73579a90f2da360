/** Secrets for development and tests, so that they run without settings. */
export const developmentSecrets = {
  siteSecret: 'development-only-secret-of-this-site-0000',
  sitePassword: 'tidings',
  editorApiKey: 'tdk_development0000000000000000000000000000',
}

/** The secrets that the emulators accept. Everyone can read them here, so no real service may rely on them. */
export const emulatorSecrets = {
  stripeKey: 'sk_test_tidings_local',
  stripeWebhookSecret: 'whsec_tidings_local',
  twilioSid: 'AC00000000000000000000000074696464',
  twilioToken: 'tidings-local-token',
  identityClientSecret: 'local-secret',
  vapidPrivateKey: 'n2S0a2WcU1Mvm7GGRGvihvdH_LMb9sleHSVlb-cI5ww',
}

/** The secrets that captcha services publish for tests: they accept every answer, or none. */
const captchaTestSecrets =
  /^([123]x0+aa|0x0{40}|6LeIxAcTAAAAAGG-vFI1TnRWxMZNFuojJ4WifJWe|10000000-aaaa-bbbb-cccc-0+[1-9])$/i

const published = new Set([...Object.values(developmentSecrets), ...Object.values(emulatorSecrets)])

const placeholders =
  /change.?(me|this|it)|replace.?(me|this|it|with)|your.?(secret|key)|my.?secret|super.?secret|top.?secret|secret.(of|that)|development|example|password|passwort|insecure|placeholder|qwert|asdfgh|zxcvbn/i

/** One in 100 million random strings of 32 hexadecimal digits falls below this. */
const fewestUnpredictable = 12

/** Returns what makes a secret easy to guess; null for random text. */
export function weaknessOf(secret: string): string | null {
  if (published.has(secret.trim())) return 'is published in the source code of the site'
  if (placeholders.test(secret)) return 'has the words of a placeholder'
  return countUnpredictable(secret) < fewestUnpredictable ? 'repeats characters or counts' : null
}

/** Returns whether a captcha service publishes the secret for tests. */
export function isCaptchaTestSecret(secret: string): boolean {
  return captchaTestSecrets.test(secret.trim())
}

/** Counts the characters that neither continue a row such as `aaa` or `1234` nor repeat three characters from before. */
function countUnpredictable(secret: string): number {
  const characters = [...secret]
  const seen = new Set<string>()
  return characters.filter((character, index) => {
    const step = code(character) - code(characters[index - 1] ?? '')
    const triple = characters.slice(Math.max(index - 2, 0), index + 1).join('')
    const isRepeated = seen.has(triple)
    seen.add(triple)
    return !isRepeated && Math.abs(step) > 1
  }).length
}

function code(character: string): number {
  return character.codePointAt(0) ?? -2
}
