import { type BrowserContext, test as base, expect, type Page } from '@playwright/test'
import { sessionReply } from '@tidings/contracts/auth'
import type { ErrorCode } from '@tidings/contracts/errors'
import { siteUnderTest } from '../site-under-test.config.ts'
import { type Consoles, createConsoles, type ExpectRefusal } from './consoles.ts'
import { type GuestSite, startGuestSite } from './guest-site.ts'

/** A reply's contract, as far as the client hands it on. */
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
    if (failure === undefined) throw new Error(`This was to fail, and answered ${JSON.stringify(reply)}`)
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
    /** Calls a method of the client, and reads what it answers by its contract. */
    call,
    /** Calls a method of the client that is to fail; answers how it did. */
    fail: async (method: string, ...parameters: unknown[]) => failed(await drive(method, parameters)),
    /** Calls a method that the server is to refuse with this code and status. */
    async refuse(refusal: Refusal, method: string, ...parameters: unknown[]): Promise<void> {
      expect(failed(await drive(method, parameters))).toMatchObject(refusal)
    },

    /** Makes an account of its own and logs it in. */
    async signUp(more: Record<string, unknown> = {}) {
      const email = freshAddress()
      const password = 'a long password'
      const parameters = { email, password, ...more }
      const { data } = await call(sessionReply, 'signupMemberEmailPassword', parameters)
      return { email, password, token: data.tokens.accessToken, member: data.member }
    },

    /** Chooses a file in the page and hands it to the client. */
    uploadPicture: async <Data>(contract: Contract<Data>, file: FileToUpload) =>
      succeeded(contract, await upload(file)),
    failToUpload: async (file: FileToUpload) => failed(await upload(file)),

    /** Clicks the page's button, which calls a method that opens a window, and acts in that window. */
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
    /** Reads by its contract what such a call answered, which is to have succeeded. */
    succeeded,
    /** How such a call failed, which it is to have. */
    failed,

    /** Clicks the page's button, which calls a method that leaves for the payment service, and waits for its page. */
    async leave(method: string, ...parameters: unknown[]): Promise<void> {
      await page.evaluate(([name, given]) => Reflect.get(window, 'driveOnClick')(name, given), [
        method,
        parameters,
      ] as const)
      await page.getByRole('button', { name: 'Go on' }).click()
      await page.waitForURL((url) => url.origin !== home)
    },
    /** Resolves once the browser has come back to this address of the page by itself. */
    async isBack(path = '/'): Promise<void> {
      await page.waitForURL(home + path)
    },
    /** Goes to the page again, as by its bookmark. */
    async comeBack(): Promise<void> {
      await page.goto(home)
    },

    /** Who was logged in, as the page was told: addresses, or null for nobody. */
    changes: (): Promise<(string | null)[]> => page.evaluate('changes'),
  }
}

let names = 0

/** A name that nothing has had before: each worker is a process of its own. */
export function freshName(): string {
  names += 1
  return `guest-${process.pid}-${names}`
}

/** An address that nobody has used before. */
export function freshAddress(): string {
  return `${freshName()}@guest.example`
}

type Place = {
  /** The allowed one when not named. */
  origin?: string
  search?: string
  /** Whether it is opened where nothing is shared with the other pages. */
  inAnotherBrowser?: boolean
}

type Fixtures = {
  consoles: Consoles
  expectRefusal: ExpectRefusal
  /** Opens a page of an origin. */
  openGuest: (place?: Place) => Promise<Guest>
  guest: Guest
}
type WorkerFixtures = { guestSite: GuestSite; strangerSite: GuestSite }

/**
 * Journeys on pages of another origin. Every error in a console fails the test, but for the refusals that it expects, and
 * so does one of these that does not come.
 */
export const test = base.extend<Fixtures, WorkerFixtures>({
  guestSite: [
    async ({ browserName: _ }, provide) => {
      const site = await startGuestSite(Number(new URL(siteUnderTest.guestOrigin()).port))
      await provide(site)
      await site.stop()
    },
    { scope: 'worker' },
  ],
  // Its origin is not one of the app's.
  strangerSite: [
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
  async openGuest({ browser, context, consoles, guestSite, expectRefusal }, provide) {
    const others: BrowserContext[] = []
    const anotherBrowser = async () => {
      const other = await browser.newContext()
      others.push(other)
      consoles.watch(other)
      return other
    }
    await provide(async ({ origin = guestSite.origin, search = '', inAnotherBrowser = false } = {}) => {
      const page = await (inAnotherBrowser ? await anotherBrowser() : context).newPage()
      await page.goto(`${origin}/${search}`)
      return createGuest(page, expectRefusal)
    })
    for (const other of others) await other.close()
  },
  async guest({ openGuest }, provide) {
    await provide(await openGuest())
  },
})

export { expect }
