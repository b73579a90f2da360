import { captchaChallenge } from '@tidings/contracts/membership/routes'
import { type Challenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import type { Captcha, CaptchaOptions } from './captcha.ts'

// The browser derives keys on threads of its own, so loops of one page run side by side.
const loops = 4
// The server accepts a solution for ten minutes.
const tokenMs = 9 * 60_000

/** Creates ALTCHA, which the browser solves in the background. It shows nothing. */
export function createCaptcha({ apiBase }: Pick<CaptchaOptions, 'apiBase'>): Captcha {
  let token = ''
  let timer: ReturnType<typeof setTimeout> | undefined
  let running: { solved: Promise<string>; controller: AbortController } | null = null

  function stop(): void {
    clearTimeout(timer)
    running?.controller.abort()
    running = null
    token = ''
  }

  function execute(): Promise<string> {
    if (running) return running.solved
    const controller = new AbortController()
    const solved = solveAltcha(apiBase, controller.signal)
    const own = { solved, controller }
    running = own
    solved.then(
      (solution) => {
        if (running !== own) return
        token = solution
        timer = setTimeout(stop, tokenMs)
      },
      () => {
        if (running === own) running = null
      },
    )
    return solved
  }

  return {
    async render() {
      // A failure shows when the form is submitted, which tries again.
      execute().catch(() => {})
    },
    getResponse: () => token,
    execute,
    reset() {
      stop()
      execute().catch(() => {})
    },
    remove: stop,
  }
}

/** Solves a challenge of an API and returns the token that sign-up sends. */
async function solveAltcha(apiBase: string, signal: AbortSignal): Promise<string> {
  const challenge = await requestChallenge(apiBase + captchaChallenge.path, signal)
  if (!globalThis.crypto?.subtle) throw new Error('Pages of insecure origins have no key derivation')
  const controller = new AbortController()
  const stop = () => controller.abort()
  signal.addEventListener('abort', stop)
  const solving = Array.from({ length: loops }, (_, counterStart) =>
    solveChallenge({ challenge, deriveKey, counterStart, counterStep: loops, controller }),
  )
  const solution = await Promise.race(solving)
  signal.removeEventListener('abort', stop)
  if (signal.aborted || solution === null) throw new Error('The challenge was not solved')
  stop()
  return btoa(JSON.stringify({ challenge, solution }))
}

async function requestChallenge(url: string, signal: AbortSignal): Promise<Challenge> {
  const response = await fetch(url, { signal })
  const challenge: unknown = await response.json()
  if (!response.ok || !isChallenge(challenge)) throw new Error('The API sent no challenge')
  return challenge
}

function isChallenge(value: unknown): value is Challenge {
  return typeof value === 'object' && value !== null && 'parameters' in value && 'signature' in value
}
