import { useEffect, useRef } from 'preact/hooks'
import type { Captcha } from '../../captcha/captcha.ts'
import { openCaptcha } from '../../captcha/open-captcha.ts'
import { useDialog } from '../view/dialog-context.ts'

/** Shows the captcha that the app requires, which is loaded only then. */
export function useCaptcha() {
  const { app, host, language, showError } = useDialog()
  const isRequired = app.captchaRequired && app.captcha !== null
  const opened = useRef<Promise<Captcha> | null>(null)

  function open(): Promise<Captcha> | null {
    if (!isRequired || app.captcha === null) return null
    const theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
    const captcha = openCaptcha(app.captcha, { host, language, theme })
    captcha.catch(() => {
      opened.current = null
    })
    return captcha
  }

  useEffect(() => {
    opened.current = open()
    opened.current?.catch(showError)
    return () => {
      opened.current?.then(
        (captcha) => captcha.remove(),
        () => undefined,
      )
    }
  }, [])

  return {
    isRequired,
    /** Returns the token of the solved captcha, after a challenge if there is none yet; undefined without a captcha. */
    async solve(): Promise<{ captchaToken?: string }> {
      opened.current ??= open()
      const captcha = await opened.current
      if (captcha === null) return {}
      return { captchaToken: captcha.getResponse() || (await captcha.execute()) }
    },
    /** Makes the captcha solvable again. */
    async reset(): Promise<void> {
      const captcha = await opened.current?.catch(() => null)
      captcha?.reset()
    },
  }
}
