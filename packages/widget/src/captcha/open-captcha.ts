import { type Captcha, CaptchaError, type CaptchaOptions } from './captcha.ts'

/** The captcha of an app, as its configuration has it. */
type CaptchaOfApp = { kind: string; siteKey: string | null }

type Options = {
  [Name in Exclude<keyof CaptchaOptions, 'siteKey'>]?: CaptchaOptions[Name] | undefined
} & {
  /** The element whose shadow root shows the dialog, with `<slot name="captcha">` at the captcha's place. */
  host: Element
}

const adapters = new Map<string, () => Promise<{ createCaptcha: (options: CaptchaOptions) => Captcha }>>([
  ['altcha', () => import('./altcha.ts')],
  ['hcaptcha', () => import('./hcaptcha.ts')],
  ['turnstile', () => import('./turnstile.ts')],
  ['recaptcha', () => import('./recaptcha.ts')],
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
  const captcha = await createCaptcha(kind, { siteKey: siteKey ?? '', language, theme, apiBase })
  const place = document.createElement('div')
  place.slot = 'captcha'
  host.append(place)
  const remove = () => {
    captcha.remove()
    place.remove()
  }
  try {
    await captcha.render(place)
  } catch (cause) {
    remove()
    throw cause instanceof CaptchaError ? cause : new CaptchaError('captcha_unavailable', { cause })
  }
  return { ...captcha, remove }
}

async function createCaptcha(kind: string, options: CaptchaOptions): Promise<Captcha> {
  const load = adapters.get(kind)
  if (load === undefined) throw new CaptchaError('captcha_unavailable')
  const adapter = await load().catch((cause: unknown) => {
    throw new CaptchaError('captcha_unavailable', { cause })
  })
  return adapter.createCaptcha(options)
}
