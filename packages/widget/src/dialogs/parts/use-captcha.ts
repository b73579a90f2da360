import { useEffect, useRef } from 'preact/hooks'
import type { Captcha } from '../../captcha/captcha.ts'
import { openCaptcha } from '../../captcha/open-captcha.ts'
import { useDialog } from '../state/dialog-context.ts'

/** Returns the captcha of a form, if the app requires one. Its place in the form is the slot. */
export function useCaptcha() {
  const { app, calls } = useDialog()
  const required = app.captchaRequired ? app.captcha : null
  const slot = useRef<HTMLSlotElement>(null)
  const opening = useRef<Promise<Captcha> | null>(null)
  const opened = useRef<Captcha | null>(null)

  function open(): Promise<Captcha> | null {
    const root = slot.current?.getRootNode()
    if (required === null || !(root instanceof ShadowRoot)) return null
    const own = openCaptcha(required, {
      host: root.host,
      language: slot.current?.closest('dialog')?.lang,
      theme: matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light',
      apiBase: calls.apiBase,
    })
    opening.current = own
    own.then(
      (captcha) => {
        if (opening.current === own) opened.current = captcha
        else captcha.remove()
      },
      () => {
        // A failure shows when the form is submitted, which loads the captcha again.
        if (opening.current === own) opening.current = null
      },
    )
    return own
  }

  useEffect(() => {
    void open()
    return () => {
      opened.current?.remove()
      opened.current = null
      opening.current = null
    }
  }, [])

  return {
    /** Whether the app requires a captcha. */
    isRequired: required !== null,
    slot,
    /** Returns the token of a captcha that is already solved. */
    solved: () => opened.current?.getResponse() || undefined,
    /** Makes a call with the token of the solved captcha. After a failure the captcha can be solved again. */
    async withToken<Result>(call: (captchaToken: string | undefined) => Promise<Result>): Promise<Result> {
      const captcha = await (opening.current ?? open())
      try {
        return await call(captcha === null ? undefined : captcha.getResponse() || (await captcha.execute()))
      } catch (error) {
        captcha?.reset()
        throw error
      }
    },
  }
}
