import { type BrowserContext, test as base, expect, type Page } from '@playwright/test'
import type { ErrorCode } from '@tidings/contracts/errors'
import { sessionReply } from '@tidings/contracts/membership/auth'
import { siteUnderTest } from '../site-under-test.config.ts'
import { type Consoles, createConsoles, type ExpectRefusal } from './consoles.ts'
import { type GuestSite, startGuestSite } from './guest-site.ts'

/** A reply's contract, as far as the client returns it. */
type Contract<Data> = { shape: { data: { parse(value: unknown): Data } } }

type Failure = { name: string; code: string; status: number; message: string }
type Outcome = { reply?: { data: unknown; message?: string }; failure?: Failure }
type Refusal = { code: ErrorCode; status: number }
type FileToUpload = { name: string; mimeType: string; buffer: Buffer }

/** A page of another origin, with the membership client on it. */
export type Guest = ReturnType<typeof createGuest>

function createGuest(page: Page, expectRefusal: ExpectRefusal) {
  const home = new URL(page.url()).origin
  const drive = (method: string, parameters: unknown[]): Promise<Outcome> =>
    page.evaluate(([name, given]) => Reflect.get(window, 'drive')(name, given), [method, parameters] as const)

  function succeeded<Data>(contract: Contract<Data>, { reply, failure }: Outcome) {
    expect(failure).toBeUndefined()
    return { data: contract.shape.data.parse(reply?.data), message: reply?.message }
  }

  function failed({ reply, failure }: Outcome): Failure {
    if (failure === undefined) throw new Error(`The call succeeded: ${JSON.stringify(reply)}`)
    expect(failure).toMatchObject({ name: 'MembershipError', message: expect.stringMatching(/\w/) })
    if (failure.status > 0) expectRefusal(failure.status)
    return failure
  }

  async function call<Data>(contract: Contract<Data>, method: string, ...parameters: unknown[]) {
    return succeeded(contract, await drive(method, parameters))
  }

  async function upload(file: FileToUpload): Promise<Outcome> {
    await page.getByLabel('Picture').setInputFiles(file)
    return await page.evaluate(() => Reflect.get(window, 'upload')())
  }

  return {
    page,
    /** Calls a method of the client and parses its reply. */
    call,
    /** Calls a method of the client that must fail, and returns the failure. */
    fail: async (method: string, ...parameters: unknown[]) => failed(await drive(method, parameters)),
    /** Calls a method that the server must refuse with this code and status. */
    async refuse(refusal: Refusal, method: string, ...parameters: unknown[]): Promise<void> {
      expect(failed(await drive(method, parameters))).toMatchObject(refusal)
    },

    /** Signs up with a new account. */
    async signUp(more: Record<string, unknown> = {}) {
      const email = freshAddress()
      const password = 'a long password'
      const parameters = { email, password, ...more }
      const { data } = await call(sessionReply, 'signupMemberEmailPassword', parameters)
      return { email, password, token: data.tokens.accessToken, member: data.member }
    },

    /** Chooses a file in the page and uploads it with the client. */
    uploadPicture: async <Data>(contract: Contract<Data>, file: FileToUpload) =>
      succeeded(contract, await upload(file)),
    failToUpload: async (file: FileToUpload) => failed(await upload(file)),

    /** Clicks the page's button, which calls a method that opens a popup, and acts in that popup. */
    async inPopup(method: string, parameters: object, act: (popup: Page) => Promise<void>): Promise<Outcome> {
      await page.evaluate(([name, given]) => Reflect.get(window, 'driveOnClick')(name, given), [
        method,
        [parameters],
      ] as const)
      const opened = page.waitForEvent('popup')
      await page.getByRole('button', { name: 'Go on' }).click()
      await act(await opened)
      return await page.evaluate('outcome')
    },
    /** Parses the reply of such a call, which must have succeeded. */
    succeeded,
    /** Returns the failure of such a call, which must have failed. */
    failed,

    /** Clicks the page's button, which calls a method that redirects to Stripe, and waits for that page. */
    async leave(method: string, ...parameters: unknown[]): Promise<void> {
      await page.evaluate(([name, given]) => Reflect.get(window, 'driveOnClick')(name, given), [
        method,
        parameters,
      ] as const)
      await page.getByRole('button', { name: 'Go on' }).click()
      await page.waitForURL((url) => url.origin !== home)
    },
    /** Waits until Stripe has redirected the browser back to this path of the page. */
    async isBack(path = '/'): Promise<void> {
      await page.waitForURL(home + path)
    },
    /** Opens the page again, as a bookmark does. */
    async comeBack(): Promise<void> {
      await page.goto(home)
    },

    /** Returns the auth changes that the page received: email addresses, or null after a logout. */
    changes: (): Promise<(string | null)[]> => page.evaluate('changes'),
  }
}

let nameCount = 0

/** Returns an unused name: each worker is a process of its own. */
export function freshName(): string {
  nameCount += 1
  return `guest-${process.pid}-${nameCount}`
}

/** Returns an unused email address. */
export function freshAddress(): string {
  return `${freshName()}@guest.example`
}

type GuestOptions = {
  /** The allowed origin by default. */
  origin?: string
  search?: string
  /** Whether to use a browser context that shares nothing with the other pages. */
  inAnotherBrowser?: boolean
}

type Fixtures = {
  consoles: Consoles
  expectRefusal: ExpectRefusal
  /** Opens a page of an origin. */
  openGuest: (options?: GuestOptions) => Promise<Guest>
  guest: Guest
}
type WorkerFixtures = { disallowedSite: GuestSite }

/**
 * A test on pages of another origin. It fails on an unexpected console error, and on an expected one that does not
 * occur.
 */
export const test = base.extend<Fixtures, WorkerFixtures>({
  // Its origin is not among the app's allowed origins.
  disallowedSite: [
    async ({ browserName: _ }, provide) => {
      const site = await startGuestSite(0)
      await provide(site)
      await site.stop()
    },
    { scope: 'worker' },
  ],
  async consoles({ context }, provide) {
    const consoles = createConsoles()
    consoles.watch(context)
    await provide(consoles)
    await expect.poll(consoles.reported).toEqual(consoles.expected())
  },
  async expectRefusal({ consoles }, provide) {
    await provide(consoles.expectRefusal)
  },
  async openGuest({ browser, context, consoles, expectRefusal }, provide) {
    const others: BrowserContext[] = []
    const anotherBrowser = async () => {
      const other = await browser.newContext()
      others.push(other)
      consoles.watch(other)
      return other
    }
    await provide(
      async ({ origin = siteUnderTest.guestOrigin(), search = '', inAnotherBrowser = false } = {}) => {
        const page = await (inAnotherBrowser ? await anotherBrowser() : context).newPage()
        await page.goto(`${origin}/${search}`)
        return createGuest(page, expectRefusal)
      },
    )
    for (const other of others) await other.close()
  },
  async guest({ openGuest }, provide) {
    await provide(await openGuest())
  },
})

export { expect }
