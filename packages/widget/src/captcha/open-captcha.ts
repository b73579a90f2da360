import { type Captcha, CaptchaError, type CaptchaOptions } from './captcha.ts'
import { createScriptCaptcha } from './script-captcha.ts'

/** The captcha of an app, as its configuration has it. */
type CaptchaOfApp = { kind: string; siteKey: string | null }

type Options = {
  [Name in Exclude<keyof CaptchaOptions, 'siteKey'>]?: CaptchaOptions[Name] | undefined
} & {
  /** The element whose shadow root shows the dialog, with `<slot name="captcha">` at the captcha's place. */
  host: Element
}

// NOTE: the adapters import no code: a chunk that loads another one couldn't be loaded again after a failure.
const adapters = new Map<string, (options: CaptchaOptions) => Promise<Captcha>>([
  ['altcha', async (options) => (await import('./altcha.ts')).createCaptcha(options)],
  [
    'hcaptcha',
    async (options) => createScriptCaptcha((await import('./hcaptcha.ts')).describeCaptcha(options)),
  ],
  [
    'turnstile',
    async (options) => createScriptCaptcha((await import('./turnstile.ts')).describeCaptcha(options)),
  ],
  [
    'recaptcha',
    async (options) => createScriptCaptcha((await import('./recaptcha.ts')).describeCaptcha(options)),
  ],
])

/**
 * Returns whether a captcha appends its challenges to the page's body. A dialog with it must not be modal, because the
 * browser makes everything outside of a modal dialog inert and keeps it below.
 */
export function opensOnPage({ kind }: CaptchaOfApp): boolean {
  return kind === 'hcaptcha' || kind === 'recaptcha'
}

/**
 * Loads the captcha of an app and shows it. Its box is a child of the host, outside of the shadow root, where the scripts
 * of the providers find it.
 * @throws {CaptchaError} when it can't be loaded
 */
export async function openCaptcha(
  { kind, siteKey }: CaptchaOfApp,
  { host, language = 'en', theme = 'light', apiBase = new URL(import.meta.url).origin }: Options,
): Promise<Captcha> {
  const create = adapters.get(kind)
  if (create === undefined) throw new CaptchaError('captcha_unavailable')
  const captcha = await create({ siteKey: siteKey ?? '', language, theme, apiBase }).catch(refuse)
  const place = document.createElement('div')
  place.slot = 'captcha'
  host.append(place)
  const remove = () => {
    captcha.remove()
    place.remove()
  }
  await captcha.render(place).catch((cause: unknown) => {
    remove()
    refuse(cause)
  })
  return { ...captcha, execute: () => captcha.execute().catch(refuse), remove }
}

/** @throws {CaptchaError} */
function refuse(cause: unknown): never {
  throw cause instanceof CaptchaError ? cause : new CaptchaError('captcha_unavailable', { cause })
}
