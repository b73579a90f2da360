import { type Captcha, CaptchaError } from './captcha.ts'

/** The objects that the scripts of the captcha services put on the page. */
type CaptchaApi = {
  render: (place: HTMLElement, parameters: object) => unknown
  getResponse: (id: unknown) => unknown
  execute?: (id: unknown) => unknown
  reset: (id: unknown) => void
  remove?: (id: unknown) => void
  ready?: (callback: () => void) => void
}

/** A captcha of a service with a script. */
export type ScriptCaptcha = {
  src: string
  /** The name of the service on the page. */
  global: string
  parameters: Record<string, unknown>
  /** The effect of `execute` without a token: runs a challenge, waits for the one that runs, or refuses. */
  onExecute: 'run' | 'wait' | 'refuse'
}

const loading = new Map<string, Promise<CaptchaApi>>()

/** Creates a captcha of a service whose script has the functions render, getResponse, execute and reset. */
export function createScriptCaptcha({ parameters, onExecute, ...script }: ScriptCaptcha): Captcha {
  let shown: { api: CaptchaApi; id: unknown } | null = null
  let challenge: PromiseWithResolvers<string> | null = null

  function fail(key: 'captcha_failed' | 'captcha_unavailable', cause?: unknown): void {
    challenge?.reject(new CaptchaError(key, { cause }))
    challenge = null
  }

  const getResponse = () => {
    const token = shown?.api.getResponse(shown.id)
    return typeof token === 'string' ? token : ''
  }

  return {
    async render(place) {
      const api = await loadService(script)
      const id = api.render(place, {
        ...parameters,
        callback(token: string) {
          challenge?.resolve(token)
          challenge = null
        },
        'error-callback': (cause: unknown) => fail('captcha_unavailable', cause),
        'expired-callback': () => fail('captcha_failed'),
        // The reader closed the challenge, or took too long.
        'close-callback': () => fail('captcha_failed'),
        'chalexpired-callback': () => fail('captcha_failed'),
        'timeout-callback': () => fail('captcha_failed'),
      })
      shown = { api, id }
    },
    getResponse,
    async execute() {
      const token = getResponse()
      if (token !== '') return token
      if (shown === null) throw new CaptchaError('captcha_unavailable')
      if (onExecute === 'refuse') throw new CaptchaError('captcha_required')
      challenge ??= Promise.withResolvers<string>()
      const { promise } = challenge
      if (onExecute === 'run') shown.api.execute?.(shown.id)
      return await promise
    },
    reset() {
      fail('captcha_failed')
      if (shown) shown.api.reset(shown.id)
    },
    remove() {
      fail('captcha_failed')
      if (shown) shown.api.remove?.(shown.id)
      shown = null
    },
  }
}

/** Loads the script of a service once. After a failure the next call tries again. */
function loadService({ src, global }: Pick<ScriptCaptcha, 'src' | 'global'>): Promise<CaptchaApi> {
  const pending = loading.get(src)
  if (pending) return pending
  const service = loadScript(src).then(() => serviceOf(global))
  loading.set(src, service)
  service.catch(() => loading.delete(src))
  return service
}

function loadScript(src: string): Promise<void> {
  const script = document.createElement('script')
  return new Promise((resolve, reject) => {
    script.onload = () => resolve()
    script.onerror = () => {
      script.remove()
      reject(new CaptchaError('captcha_unavailable'))
    }
    script.src = src
    document.head.append(script)
  })
}

async function serviceOf(global: string): Promise<CaptchaApi> {
  const api: unknown = Reflect.get(window, global)
  if (!isService(api)) throw new CaptchaError('captcha_unavailable')
  // The script of reCAPTCHA loads the service, which is ready later.
  if (api.ready) await new Promise<void>((resolve) => api.ready?.(resolve))
  const ready: unknown = Reflect.get(window, global)
  if (!isService(ready) || !('render' in ready)) throw new CaptchaError('captcha_unavailable')
  return ready
}

function isService(value: unknown): value is CaptchaApi {
  return typeof value === 'object' && value !== null && ('render' in value || 'ready' in value)
}
