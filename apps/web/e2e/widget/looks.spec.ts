import type { Page } from '@playwright/test'
import type { Member } from '@tidings/contracts/membership/members'
import type { MembershipAppReply } from '@tidings/contracts/membership/widget-config'
import { violationsInDark, violationsInLight } from '../accessibility.ts'
import { expect, test } from '../membership/guest.ts'
import { call, createDialog, openHtml, widgetScript } from './dialog.ts'

const email = 'wilhelmina.von-der-heide-zu-lichtenfels@einsehrlangername.example.com'
const password = 'a long password'
const connection = { active: true, status: 'ACTIVE', payment: null } as const

const wideLogo = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="420" height="60"/>')}`

/** A member whose texts are long. */
const member: Partial<Member> = {
  id: 'mem_long',
  auth: { email, hasPassword: true, providers: [] },
  customFields: { name: 'Wilhelmina Maximiliana von der Heide zu Lichtenfels-Hohenstein' },
  permissions: [],
  planConnections: [
    {
      ...connection,
      id: 'con_1',
      planId: 'pln_a',
      planName: 'Kostenloser Probezugang für Leser',
      type: 'FREE',
    },
    { ...connection, id: 'con_2', planId: 'pln_b', planName: 'Jahresabonnement', type: 'SUBSCRIPTION' },
  ],
  profileImage: null,
  stripeCustomerId: 'cus_long',
}

type Dialog = ReturnType<typeof createDialog>
/** `id` is that of the modal, by which pages style it. */
type State = { type: string; id: string; act?: (dialog: Dialog) => Promise<void> }

const choose = (name: string) => (dialog: Dialog) => dialog.button(name).click()
const submit = ({ dialog }: Dialog) => dialog.locator('button[type=submit]').click()

/** The states of the dialogs with German texts, by what leads there. */
const states: Record<string, State> = {
  login: { type: 'LOGIN', id: 'LoginModal', act: submit },
  'login without a password': {
    type: 'LOGIN',
    id: 'LoginModal',
    act: choose('Ohne Passwort fortfahren'),
  },
  signup: { type: 'SIGNUP', id: 'SignupModal' },
  forgot_password: { type: 'FORGOT_PASSWORD', id: 'PasswordResetModal' },
  reset_password: { type: 'RESET_PASSWORD', id: 'PasswordTokenModal', act: submit },
  reset_password_success: {
    type: 'RESET_PASSWORD',
    id: 'PasswordSuccessModal',
    async act(dialog) {
      await dialog.paste('123456')
      await dialog.field('Neues Passwort').fill(password)
      await submit(dialog)
      await expect(dialog.button('Zurück zur Anmeldung')).toBeVisible()
    },
  },
  passwordless_token: {
    type: 'LOGIN',
    id: 'PasswordlessTokenModal',
    async act(dialog) {
      await dialog.button('Ohne Passwort fortfahren').click()
      await dialog.field('E-Mail-Adresse').fill(email)
      await submit(dialog)
      await expect(dialog.boxes).toHaveCount(6)
    },
  },
}
const id = 'MobileProfileModal'
const accountStates: Record<string, State> = {
  profile: { type: 'PROFILE', id, act: choose('Profil') },
  security: { type: 'PROFILE', id, act: choose('Sicherheit') },
  changePassword: {
    type: 'PROFILE',
    id,
    async act(dialog) {
      await dialog.button('Sicherheit').click()
      await dialog.button('Passwort ändern').click()
      await submit(dialog)
    },
  },
  plans: {
    type: 'PROFILE',
    id,
    async act(dialog) {
      await dialog.button('Tarife').click()
      await dialog.button(/entfernen$/).click()
      await expect(dialog.dialog.getByRole('alert')).toHaveText(/Bezahlen/)
    },
  },
}

/** Opens a German page whose client responds at once with long texts, and returns the app. */
async function openGermanPage(page: Page): Promise<MembershipAppReply> {
  await openHtml(page, { head: widgetScript(), attributes: 'lang="de"' })
  const app = await call(page, 'getApp')
  await page.evaluate((data) => {
    const refusal = { message: 'Bezahlen Sie zuerst die offene Rechnung vom vergangenen Monat.' }
    Object.assign(Reflect.get(window, '$membership'), {
      getCurrentMember: async () => ({ data }),
      resetMemberPassword: async () => ({ data: {} }),
      sendMemberLoginPasswordlessEmail: async () => ({ data: {} }),
      removePlan: () => Promise.reject(refusal),
    })
  }, member)
  // A dark color, of which a dark dialog must make a visible button, and a wide logo.
  const branding = { logo: wideLogo, colors: { lightMode: { primaryButton: '#26231f' } } }
  return { ...app, branding }
}

/** Returns what doesn't fit the modal, with text of twice the size. */
function losses(page: Page): Promise<string[]> {
  return page.getByRole('dialog').evaluate((dialog: HTMLElement) => {
    dialog.style.fontSize = '200%'
    const { left = 0, right = 0 } = dialog.querySelector('.modal')?.getBoundingClientRect() ?? {}
    // A name beside a button keeps room for more than a letter a line.
    const isSqueezed = (part: HTMLElement) => part.matches('.rows span') && part.offsetWidth < 100
    const isOutside = (part: HTMLElement) => {
      const box = part.getBoundingClientRect()
      if (part.closest('.messages')) return box.right > innerWidth
      return box.right > right + 1 || box.left < left - 1
    }
    const lost = [...dialog.querySelectorAll<HTMLElement>('.modal *:not(.upload input, [type=hidden])')]
      .filter((part) => isOutside(part) || isSqueezed(part))
      .map(({ localName, className, textContent }) => `${localName}.${className} ${textContent}`)
    dialog.style.removeProperty('font-size')
    return lost
  })
}

async function check(page: Page, name: string): Promise<void> {
  expect(await violationsInLight(page), name).toEqual([])
  expect(await violationsInDark(page), name).toEqual([])
  expect(await losses(page), name).toEqual([])
}

test.describe('every state, in light and dark, with long texts and large text', () => {
  test('of the dialogs for visitors', async ({ page, consoles: _ }) => {
    const app = await openGermanPage(page)
    const dialog = createDialog(page)
    for (const [name, { type, id, act }] of Object.entries(states)) {
      await dialog.open(type, { app })
      await act?.(dialog)
      const modal = page.locator(`#msOverlay[part=msOverlay] #${id}[part=${id}]`)
      await expect(modal).toHaveCSS('width', '360px')
      await check(page, name)
    }
    await page.reload()
    const held = Promise.withResolvers<void>()
    await page.route('**/app', async (route) => {
      await held.promise
      await route.abort()
    })
    await dialog.open('LOGIN')
    await expect(dialog.message('Wird geladen...')).toBeVisible()
    await check(page, 'loading')
    held.resolve()
    await expect(dialog.button('Erneut versuchen')).toBeVisible()
    await check(page, 'failed')
  })

  test('of the account, on a phone and on a wide screen', async ({ page, consoles: _ }) => {
    const app = await openGermanPage(page)
    const dialog = createDialog(page)
    await dialog.open('PROFILE', { app })
    await expect(dialog.dialog.getByRole('heading')).toHaveText(email)
    await check(page, 'profile-nav')
    const menus = new Set<number | undefined>()
    for (const [name, { type, id, act }] of Object.entries(accountStates)) {
      await page.setViewportSize({ width: 390, height: 844 })
      await dialog.open(type, { app })
      await act?.(dialog)
      await expect(page.locator(`#${id}[part=${id}]`)).toBeVisible()
      await check(page, name)
      await page.setViewportSize({ width: 1440, height: 900 })
      await expect(page.locator('#ProfileModal[part=ProfileModal]')).toHaveCSS('width', '700px')
      menus.add((await dialog.dialog.getByRole('navigation').boundingBox())?.y)
      await check(page, `${name}, wide`)
    }
    // The menu stays where it is, so that the next click hits what the reader sees.
    expect(menus.size).toBe(1)
  })
})
