import { useQueryClient } from '@tanstack/react-query'
import { type Captcha, CaptchaError } from '@tidings/widget/captcha/captcha'
import { openCaptcha } from '@tidings/widget/captcha/open-captcha'
import { useEffect, useRef } from 'react'
import { ShownError } from '#lib/api/error-text.ts'
import { loadChunk } from '#lib/browser/chunk.ts'
import { appOf } from '#lib/plans/plans.ts'
import { useServices } from '#lib/services/services.tsx'

type Opening = Promise<Captcha | null>

/**
 * Loads the captcha that the app asks for at sign-up, if any, into an element of the form.
 * @param isNeeded false for members, who have signed up already
 */
export function useCaptcha(isNeeded: boolean) {
  const { memberSession } = useServices()
  const queryClient = useQueryClient()
  const place = useRef<HTMLDivElement>(null)
  const opening = useRef<Opening | null>(null)

  async function load(): Opening {
    const [{ captcha }, { apiBase }] = await Promise.all([
      queryClient.fetchQuery(appOf(memberSession)),
      memberSession.getClient(),
    ])
    if (captcha === null || place.current === null) return null
    const theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
    const { lang: language } = document.documentElement
    return await openCaptcha(captcha, { host: place.current, apiBase, language, theme })
  }

  function open(): Opening {
    const own = load()
    opening.current = own
    own.then(
      (captcha) => {
        if (opening.current !== own) captcha?.remove()
      },
      () => {
        // A failure shows when the form is submitted, which loads the captcha again.
        if (opening.current === own) opening.current = null
      },
    )
    return own
  }

  useEffect(() => {
    if (!isNeeded) return
    void open()
    return () => {
      opening.current?.then((captcha) => captcha?.remove()).catch(() => undefined)
      opening.current = null
    }
  }, [isNeeded])

  return {
    place,
    /** Makes a call with the token of the solved captcha, null without one. A token works once. */
    async withToken<Result>(call: (captchaToken: string | null) => Promise<Result>): Promise<Result> {
      let captcha: Captcha | null = null
      try {
        captcha = await (opening.current ?? open())
        return await call(captcha && (captcha.getResponse() || (await captcha.execute())))
      } catch (error) {
        captcha?.reset()
        throw error instanceof CaptchaError ? await explain(error) : error
      }
    },
  }
}

async function explain(error: CaptchaError): Promise<Error> {
  const { catalog } = await loadChunk(() => import('@tidings/widget/translations/en'))
  return new ShownError(catalog[error.textKey], { cause: error })
}
