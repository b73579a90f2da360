import type { Locator } from '@playwright/test'
import { expect, freshAddress, test } from '../membership/guest.ts'
import { siteUnderTest } from '../site-under-test.config.ts'
import { appWith, call, createDialog, openHtml, widgetScript } from './dialog.ts'
import { recorded, watchPage } from './watched-page.ts'

const text = '<p>A line of the page.</p>'.repeat(40)

/** Returns whether the last character of an element's text is to the right of the first one. */
function isReadToTheRight(element: Locator): Promise<boolean> {
  return element.evaluate(({ firstChild: text }) => {
    if (!(text instanceof Text)) throw new Error('The element has no text')
    const [first, last] = [0, text.length - 1].map((start) => {
      const range = document.createRange()
      range.setStart(text, start)
      range.setEnd(text, start + 1)
      return range.getBoundingClientRect().x
    })
    return (last ?? 0) > (first ?? 0)
  })
}

test.describe('the dialogs on a page', () => {
  test('with a strict policy work with the keyboard alone, and move nothing', async ({
    page,
    consoles: _,
  }) => {
    const site = siteUnderTest.url()
    await watchPage(page)
    await openHtml(page, {
      head: widgetScript(),
      body: `${text}<button data-membership="profile">Account</button>${text}`,
      policy: `default-src 'none'; script-src ${site}; connect-src ${site}; img-src ${site}`,
    })
    const { dialog, field, button } = createDialog(page)
    const email = freshAddress()
    await call(page, 'signupMemberEmailPassword', { email, password: 'a long password' })
    await call(page, 'logout')
    const opener = page.getByRole('button', { name: 'Account', exact: true })
    await opener.scrollIntoViewIfNeeded()
    const before = [await opener.boundingBox(), await page.evaluate('scrollY')]
    await opener.focus()
    await page.keyboard.press('Enter')
    await expect(field('Email address')).toBeFocused()
    expect([await opener.boundingBox(), await page.evaluate('scrollY')]).toEqual(before)
    // The tests' browser asks for less motion.
    const animation = () => dialog.evaluate((element) => getComputedStyle(element).animationName)
    expect(await animation()).toBe('none')
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    expect(await animation()).not.toBe('none')
    await page.emulateMedia({ reducedMotion: 'reduce' })

    // The focus stays inside, in both directions.
    for (const key of ['Tab', 'Shift+Tab']) {
      for (let step = 0; step < 12; step += 1) {
        await page.keyboard.press(key)
        expect(await dialog.evaluate((element) => element.matches(':focus-within'))).toBe(true)
      }
    }
    await page.mouse.move(5, 400)
    await page.mouse.wheel(0, 400)
    await expect.poll(() => dialog.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(0)
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(opener).toBeFocused()
    expect([await opener.boundingBox(), await page.evaluate('scrollY')]).toEqual(before)

    // In through the login, to the profile, and out, with the keys alone.
    await page.keyboard.press('Enter')
    await expect(field('Email address')).toBeFocused()
    await page.keyboard.type(email)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.type('a long password')
    await page.keyboard.press('Tab')
    await expect(button('Show password')).toBeFocused()
    await page.keyboard.press('Space')
    await expect(field('Password')).toHaveAttribute('type', 'text')
    await expect(field('Password')).toHaveValue('a long password')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(dialog).toHaveAccessibleName('Account menu')
    await page.keyboard.press('Tab')
    await expect(button('Profile')).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(dialog.getByRole('heading', { name: 'My Profile' })).toBeFocused()
    await field('Name').focus()
    await page.keyboard.type('Ada')
    await page.keyboard.press('Enter')
    await expect(dialog.getByRole('status').filter({ hasText: /\w/ }).first()).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    expect(await call(page, 'getCurrentMember')).toMatchObject({ customFields: { name: 'Ada' } })
    expect(await recorded(page, 'violations')).toEqual([])
    expect(await recorded(page, 'shifts')).toEqual([])
  })

  test('on a narrow phone: messages move nothing in them', async ({ page, consoles: _ }) => {
    await page.setViewportSize({ width: 360, height: 740 })
    await openHtml(page, { head: widgetScript(), attributes: 'lang="de"' })
    const { dialog, field, button, open } = createDialog(page)
    await page.route('**/auth/login', (route) => route.abort())
    await open('LOGIN')
    await field('E-Mail-Adresse').fill(freshAddress())
    await field('Passwort').fill('a long password')
    const form = dialog.locator('form')
    const before = await form.boundingBox()
    await button('Anmelden').click()
    const message = dialog.getByRole('alert')
    await expect(message).toHaveText(/Der Server ist nicht erreichbar/)
    expect(await form.boundingBox()).toEqual(before)
    // It covers no field.
    const { y = 0, height = 0 } = (await message.boundingBox()) ?? {}
    expect(y + height).toBeLessThan((await field('E-Mail-Adresse').boundingBox())?.y ?? 0)
    await button('Meldung ausblenden').click()
    expect(await form.boundingBox()).toEqual(before)
  })

  test('that has two widgets, is removed, or reads from right to left', async ({ page, consoles: _ }) => {
    const second = widgetScript().replace('<script', '<script data-global="$second" data-language="es"')
    await openHtml(page, {
      head: widgetScript() + second,
      body: '<button data-membership="login">Log in</button>',
      attributes: 'lang="ar" dir="rtl"',
    })
    const { dialog, field, button, open, outcome } = createDialog(page)
    await page.getByRole('button', { name: 'Log in' }).click()
    await expect(dialog).toHaveAccessibleName('Login to your account')
    await expect(dialog).toHaveCount(1)
    const close = await button('Close').boundingBox()
    expect(close?.x).toBeLessThan(100)
    await expect(button('Login')).toHaveCSS('direction', 'rtl')
    // An address or a password keeps its own direction and is aligned with the page's text.
    for (const label of ['Email address', 'Password']) {
      await expect(field(label)).toHaveCSS('unicode-bidi', 'plaintext')
      await expect(field(label)).toHaveCSS('text-align', 'right')
    }
    // So does a text in English: its question mark is at its end.
    expect(await isReadToTheRight(button('Forgot Password?'))).toBe(true)
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)

    await open('FORGOT_PASSWORD')
    await expect(dialog).toHaveCount(1)
    const arrow = button('Back').locator('svg')
    expect(await arrow.evaluate((icon) => getComputedStyle(icon).transform)).toBe('matrix(-1, 0, 0, 1, 0, 0)')
    await page.evaluate(() => void Reflect.get(window, '$second').openModal('SIGNUP'))
    const upper = page.getByRole('dialog', { name: /cuenta/ })
    await expect(upper).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(upper).toHaveCount(0)
    await expect(dialog).toHaveAccessibleName('Reset your password')

    // The page takes the dialog away, or all of its content.
    await page.evaluate(() => document.body.lastElementChild?.remove())
    await outcome('CLOSED')
    await open('LOGIN')
    await expect(dialog).toHaveCount(1)
    await page.evaluate(() => document.body.replaceWith(document.createElement('body')))
    await outcome('CLOSED')
    await open('LOGIN')
    await expect(dialog).toHaveAccessibleName('Login to your account')
  })

  test('with a captcha leave its challenge in the page usable', async ({ page, consoles: _ }) => {
    await page.route('https://js.hcaptcha.com/**', (route) =>
      route.fulfill({
        contentType: 'text/javascript',
        body: `window.resets = 0
let done
window.hcaptcha = {
  render: (place, { callback }) => { done = callback; return 0 },
  getResponse: () => '',
  execute: () => {
    const challenge = document.createElement('div')
    challenge.style.cssText = 'position:fixed;inset:0;z-index:2147483647;display:grid;place-items:center'
    challenge.innerHTML = '<button>I am human</button>'
    challenge.onclick = () => { challenge.remove(); done('solved') }
    document.body.append(challenge)
  },
  reset: () => { window.resets += 1 },
  remove: () => {},
}`,
      }),
    )
    const tokens: unknown[] = []
    await openHtml(page, { head: widgetScript(), body: '<button>Behind</button>' })
    const { dialog, field, button, open, outcome } = createDialog(page)
    const captcha = { kind: 'hcaptcha', siteKey: 'key' }
    const app = await appWith(page, { captchaRequired: true, captcha })
    await page.route('**/auth/signup', (route) => {
      tokens.push(route.request().postDataJSON().captchaToken)
      return tokens.length === 1 ? route.abort() : route.fallback()
    })
    await page.getByRole('button', { name: 'Behind' }).focus()
    await open('SIGNUP', { app })
    await field('Email address').fill(freshAddress())
    await field('Password').fill('a long password')
    // The rest of the page stays out of reach.
    await expect(page.locator('main')).toHaveAttribute('inert')
    const human = page.getByRole('button', { name: 'I am human' })
    await button('Sign up').click()
    await human.click()
    await expect(dialog.getByRole('alert')).toContainText('We can’t reach the server')
    expect(await recorded(page, 'resets')).toBe(1)
    await button('Sign up').click()
    await human.click()
    await outcome('SIGNUP')
    expect(tokens).toEqual(['solved', 'solved'])
    await page.keyboard.press('Escape')
    await expect(page.locator('main')).not.toHaveAttribute('inert')
    await expect(page.getByRole('button', { name: 'Behind' })).toBeFocused()
  })
})
