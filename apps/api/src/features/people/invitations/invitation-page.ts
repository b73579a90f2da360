import type { OpenInvitation } from '@tidings/contracts/desk/people/invitations'
import { type PageSite, type SmallPage, smallPage } from '#http/site/small-page.ts'
import { html } from '#platform/html/html.ts'

/** Creates a passkey where the browser can, accepts the invitation with it, and opens the desk. */
const script = `
const { base, passkeys } = JSON.parse(document.getElementById('data').textContent)
const form = document.querySelector('form')
const status = document.querySelector('[role=status]')
async function post(path, body) {
  const headers = { 'content-type': 'application/json', 'x-desk': '1' }
  const reply = await fetch(base + path, { method: 'POST', headers, body: JSON.stringify(body) })
  const { data, error } = await reply.json()
  if (!reply.ok) throw new Error(error.message)
  return data
}
async function accept(name) {
  if (!passkeys) return post('', { name })
  const options = PublicKeyCredential.parseCreationOptionsFromJSON(await post('/options', { name }))
  const credential = await navigator.credentials.create({ publicKey: options })
  const { id, rawId, type, response } = credential.toJSON()
  const { clientDataJSON, attestationObject, transports } = response
  await post('', { name, response: { id, rawId, type, response: { clientDataJSON, attestationObject, transports } } })
}
form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const button = form.querySelector('button')
  button.disabled = true
  try {
    await accept(form.elements.name.value)
    location.replace('/desk')
  } catch (error) {
    status.textContent = error.name === 'NotAllowedError' ? 'No passkey was created. Try again.' : error.message
    button.disabled = false
  }
})
`

/** Returns the page of an open invitation: who invites, as what, and the button that accepts it. */
export function invitationPage(
  site: PageSite,
  token: string,
  { email, roles, invitedBy, name, passkeys, endsLogins }: OpenInvitation,
): SmallPage {
  const names = new Intl.ListFormat('en').format(roles)
  return smallPage({
    site,
    title: 'Invitation',
    heading: `Work at the desk of ${site.name}`,
    content: html`<p>${invitedBy ?? 'The operator'} invites ${email} as ${names}.</p>
${endsLogins && html`<p>Your other passkeys and sessions end.</p>`}
<form>
<label>Your name<input name="name" autocomplete="name" required maxlength="100" value="${name ?? ''}"></label>
<button>${passkeys ? 'Create a passkey and start' : 'Start'}</button>
<p role="status"></p>
</form>`,
    script: {
      code: script,
      data: { base: `/desk/v1/invitation-links/${token}`, passkeys },
      sendsRequests: true,
    },
  })
}

export function endedInvitationPage(site: PageSite, message: string): SmallPage {
  return smallPage({
    site,
    title: 'Invitation',
    heading: 'This invitation has ended',
    content: html`<p>${message}</p>`,
  })
}
