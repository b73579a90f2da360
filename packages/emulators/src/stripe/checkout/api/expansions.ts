import { type Expansions, objectsOf } from '../../http/expand.ts'
import { listWithin } from '../../protocol/list.ts'
import { toWireCheckoutSession, toWireLineItems } from '../../wire/checkout-session.ts'

/** What `expand` finds of checkout sessions. */
export const checkoutExpansions: Expansions = {
  objects: {
    cs_: objectsOf('checkoutSession', toWireCheckoutSession),
  },
  included: {
    'checkout.session.line_items': (world, { id }) => {
      const session = world.of('checkoutSession').get(String(id))
      return listWithin(toWireLineItems(world, session), `/v1/checkout/sessions/${session.id}/line_items`)
    },
  },
}
