import type { Page } from '@playwright/test'
import { violationsInDark, violationsInLight } from '../accessibility.ts'
import { expect, test } from '../membership/guest.ts'
import { appWith, createDialog, openHtml, widgetScript } from './dialog.ts'

const failed = 'Couldn’t open. Check your connection and try again.'
const body = `<button data-membership="login">Log in</button>
<a href="#join" data-membership="signup">Join</a>`

/** Makes the files of these addresses unavailable until the returned function is called. */
async function remove(page: Page, files: string) {
  await page.route(files, (route) => route.abort())
  return () => page.unroute(files)
}

test.describe('without the code of the dialogs', () => {
  test('a tap says what to do, a link leads on, and the next tap opens', async ({ page, consoles: _ }) => {
    const restore = await remove(page, '**/membership/widget/dialogs-*')
    await openHtml(page, { head: widgetScript(), body })
    const { dialog } = createDialog(page)
    const login = page.getByRole('button', { name: 'Log in' })
    const notice = page.getByRole('status')
    const before = await login.boundingBox()
    await login.click()
    await expect(notice).toHaveText(failed)
    expect(await violationsInLight(page)).toEqual([])
    expect(await violationsInDark(page)).toEqual([])
    expect(await login.boundingBox()).toEqual(before)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await expect(page.getByRole('button', { name: 'Dismiss message' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(notice).toHaveCount(0)
    await expect(login).toBeFocused()

    await page.getByRole('link', { name: 'Join' }).click()
    await expect(page).toHaveURL(/#join$/)
    await restore()
    await login.click()
    await expect(dialog).toHaveAccessibleName('Login to your account')
  })

  test('a tap says that they load', async ({ page, consoles: _ }) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route('**/membership/widget/dialogs-*', async (route) => {
      await promise
      await route.fallback()
    })
    await openHtml(page, { head: widgetScript(), body, attributes: 'lang="fr"' })
    const { dialog } = createDialog(page)
    await page.getByRole('button', { name: 'Log in' }).click()
    await expect(page.getByRole('status')).toHaveText('Chargement...')
    resolve()
    await expect(dialog).toHaveAccessibleName('Connectez-vous à votre compte')
    await expect(page.getByRole('status').filter({ hasText: 'Chargement...' })).toHaveCount(0)
  })

  test('a missing language, and a missing captcha, load with the next attempt', async ({
    page,
    consoles: _,
  }) => {
    await openHtml(page, { head: widgetScript(), body, attributes: 'lang="es"' })
    const { dialog, field, button, open, hide } = createDialog(page)
    const restoreLanguage = await remove(page, '**/membership/widget/es-*')
    await page.getByRole('button', { name: 'Log in' }).click()
    await expect(page.getByRole('status')).toHaveText(/No se pudo abrir/)
    await restoreLanguage()
    await page.getByRole('button', { name: 'Log in' }).click()
    await expect(dialog).toHaveAccessibleName('Inicia sesión en tu cuenta')
    await hide()

    const restoreCaptcha = await remove(page, '**/membership/widget/turnstile-*')
    await page.route('https://challenges.cloudflare.com/**', (route) =>
      route.fulfill({
        contentType: 'text/javascript',
        body: "window.turnstile = { render: () => 0, getResponse: () => 'solved', reset() {}, remove() {} }",
      }),
    )
    const tokens: unknown[] = []
    await page.route('**/auth/signup', (route) => {
      tokens.push(route.request().postDataJSON().captchaToken)
      return route.abort()
    })
    const captcha = { kind: 'turnstile', siteKey: 'key' }
    await open('SIGNUP', { app: await appWith(page, { captchaRequired: true, captcha }) })
    await field('Correo electrónico').fill('ada@example.com')
    await field('Contraseña').fill('a long password')
    await button('Registrarse').click()
    await expect(dialog.getByRole('alert')).toHaveText(/No se pudo cargar el control de seguridad/)
    await restoreCaptcha()
    await button('Registrarse').click()
    await expect(dialog.getByRole('alert')).toHaveText(/No podemos conectar con el servidor/)
    expect(tokens).toEqual(['solved'])
  })
})
