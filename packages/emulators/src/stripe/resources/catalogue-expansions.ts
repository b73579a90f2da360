import { type Expansions, objectsOf } from '../server/expand.ts'
import { toWireCoupon, toWirePrice, toWireProduct, toWirePromotionCode } from './product/catalogue.wire.ts'

/** What `expand` finds of what is sold. */
export const catalogueExpansions: Expansions = {
  objects: {
    product: objectsOf('product', toWireProduct),
    price_: objectsOf('price', toWirePrice),
    coupon: (store, id) => {
      const coupon = store.of('coupon').find(id)
      // What was redeemed still shows what it was.
      return coupon && toWireCoupon(store, { ...coupon, deleted: false })
    },
    promo_: objectsOf('promotionCode', toWirePromotionCode),
  },
  included: {},
}
