import { urlOf } from '@tidings/contracts/endpoint'
import { signUp } from '@tidings/contracts/membership/routes'
import { listGatedArticles } from '@tidings/contracts/routes'
import { freePort } from '@tidings/launcher/free-port'
import type { Site } from '@tidings/launcher/site'
import { passGate } from '../calls/gate.ts'
import { memberPassword, readLogin } from '../calls/membership.ts'
import { rawGet, rawPost } from '../calls/raw-request.ts'
import { openFreshBrowser } from '../probes/browser.ts'
import { auditPage, describeFailures, scoreOf } from '../probes/lighthouse.ts'
import type { Row } from '../results/table.ts'
import type { Bench } from '../sites/bench.ts'

const category = 'accessibility'
const visitorPaths = [
  '/auth',
  '/account/login',
  '/account/signup',
  '/resetpassword',
  '/search',
  '/search?q=moon',
]
const memberPaths = ['/account/dashboard', '/account/change-plan', '/changepassword', '/archive', '/gated']

/** Runs Lighthouse's accessibility audits on the screens beside `/home`, as a visitor and as a member without a plan. */
export async function measureScreens({ lifetime, progress, site: getSite }: Bench): Promise<Row> {
  const site = await getSite()
  const { url } = site
  const cookie = await passGate(url, site.sitePassword)
  const token = await signUpAt(site)
  const articlePaths = await listArticlePaths(url, { Cookie: cookie, Authorization: `Bearer ${token}` })
  const visits = [
    ...[...visitorPaths, ...articlePaths.slice(0, 1)].map((path) => ({ path, isMember: false })),
    ...[...memberPaths, ...articlePaths].map((path) => ({ path, isMember: true })),
  ]
  const scores = await lifetime.within(async (inner) => {
    const port = await freePort()
    const args = [`--remote-debugging-port=${port}`]
    const browser = await openFreshBrowser(inner, { progress, url, cookie, args })
    const scores: number[] = []
    for (const { path, isMember } of visits) {
      if (isMember && !visits[scores.length - 1]?.isMember) {
        const page = await browser.newPage()
        await page.goto(`${url}/#/footer`)
        await page.evaluate((value) => localStorage.setItem('_ms-mid', value), token)
        await page.close()
      }
      const label = `Lighthouse, ${isMember ? 'member' : 'visitor'} at ${path}`
      const result = await progress.step(label, () => auditPage(`${url}/#${path}`, port, [category]))
      // A visitor would be led elsewhere.
      if (!result.finalDisplayedUrl.endsWith(`#${path}`)) {
        throw new Error(`${path} led to ${result.finalDisplayedUrl}`)
      }
      for (const line of describeFailures([result], [category])) progress.say(line)
      scores.push(scoreOf(result, category))
    }
    return scores
  })
  const lowest = Math.min(...scores)
  return {
    measure: `Lighthouse, mobile: accessibility, lowest of ${scores.length} other screens`,
    figure: String(lowest),
    target: '100',
    passed: lowest === 100,
  }
}

async function signUpAt({ url, publicKey }: Site): Promise<string> {
  const body = { email: 'screens@bench.example', password: memberPassword }
  const reply = await rawPost(url + urlOf(signUp), { 'X-API-Key': publicKey }, body)
  if (reply.status !== 200) throw new Error(`The sign-up responded with ${reply.status}`)
  return readLogin(reply).headers.Authorization?.replace('Bearer ', '') ?? ''
}

/** Returns the paths of the gated articles. The member without a plan may not read all of them. */
async function listArticlePaths(url: string, headers: Record<string, string>): Promise<string[]> {
  const { body } = await rawGet(url + urlOf(listGatedArticles), headers)
  const { data }: { data: { _id: string }[] } = JSON.parse(body.toString())
  return data.map(({ _id }) => `/viewgated/${_id}`)
}
