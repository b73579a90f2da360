import { createRoute, lazyRouteComponent, notFound } from '@tanstack/react-router'
import { parseEditionKey } from '@tidings/contracts/edition-key'
import { frameRoute } from './frame.tsx'

/** The delivery of an edition. */
export const deliveryRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/editions/$key/delivery',
  beforeLoad({ params }) {
    const parsed = parseEditionKey(params.key)
    if (parsed === null) throw notFound()
    return parsed
  },
  component: Delivery,
})

const DeliveryScreen = lazyRouteComponent(
  () => import('#features/delivery/delivery-screen.tsx'),
  'DeliveryScreen',
)

function Delivery() {
  const { date, slot } = deliveryRoute.useRouteContext()
  const { key } = deliveryRoute.useParams()
  return <DeliveryScreen key={key} editionKey={key} day={date} slot={slot} />
}
