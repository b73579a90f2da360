import type { FastifyInstance } from 'fastify'
import { escapeHtml } from '../../../html.ts'
import { saveCustomer } from '../../customers/customers.ts'
import { link, page, problemLine } from '../../pages/page.ts'
import { fieldsOf } from '../../pages/serve-pages.ts'
import type { CustomerRecord } from '../../records/customer.ts'
import type { PortalSessionRecord } from '../../records/portal.ts'
import { asOne } from '../../world/as-one.ts'
import type { KeptWorld } from '../../world/create-world.ts'
import { portalPath } from '../portal-path.ts'
import { finish, sendOfSession } from './portal-replies.ts'
import { openSession, type PortalPath, requireEnabled } from './portal-session.ts'

type Details = Pick<CustomerRecord, 'email' | 'name'>

/** The page on which customers change their name and address, as far as the configuration lets them. */
export function addCustomerDetails(pages: FastifyInstance, world: KeptWorld): void {
  const path = portalPath(':id', '/details')

  pages.get<{ Params: PortalPath }>(path, (request, reply) => {
    const { session, features } = openSession(world, request)
    requireEnabled(features.customerUpdate)
    const customer = world.of('customer').get(session.customerId)
    const { allowedUpdates } = features.customerUpdate
    return sendOfSession(reply, session, detailsPage(session, customer, allowedUpdates))
  })

  pages.post<{ Params: PortalPath }>(path, (request, reply) => {
    const { session, features } = openSession(world, request)
    requireEnabled(features.customerUpdate)
    const { allowedUpdates } = features.customerUpdate
    const customer = world.of('customer').get(session.customerId)
    const { email, name } = fieldsOf(request)
    const details = {
      email: allowedUpdates.includes('email') && email !== undefined ? email.trim() : customer.email,
      name: allowedUpdates.includes('name') && name !== undefined ? name.trim() || null : customer.name,
    }
    if (details.email !== customer.email && !details.email?.includes('@')) {
      const problem = 'Enter your e-mail address.'
      return sendOfSession(reply, session, detailsPage(session, details, allowedUpdates, problem))
    }
    asOne(world, () => saveCustomer(world, customer, { ...customer, ...details }))
    return finish(world, reply, session, 'details-saved')
  })
}

function detailsPage(
  session: PortalSessionRecord,
  { email, name }: Details,
  allowedUpdates: string[],
  problem?: string,
) {
  const fields = [
    allowedUpdates.includes('name')
      ? `<label for="name">Name</label>
<input id="name" name="name" autocomplete="name" maxlength="200" value="${escapeHtml(name ?? '')}">`
      : '',
    allowedUpdates.includes('email')
      ? `<label for="email">E-mail address</label>
<input id="email" name="email" type="email" inputmode="email" required autocomplete="email" autocapitalize="none" spellcheck="false" maxlength="254" value="${escapeHtml(email ?? '')}"${problem ? ' aria-invalid="true" aria-describedby="problem"' : ''}>`
      : '',
  ]
  return page(
    'Your details',
    `<h1>Your details</h1>
<form method="post" action="${escapeHtml(portalPath(session.id, '/details'))}">
${fields.join('\n')}
${problemLine(problem)}
<button>Save</button></form>
<p class="links">${link(portalPath(session.id), 'Back')}</p>`,
  )
}
