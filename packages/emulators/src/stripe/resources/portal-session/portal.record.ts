import type { Common } from '../../store/common.ts'

export type PortalConfigurationRecord = Common & {
  active: boolean
  updated: number
  name: string | null
  defaultReturnUrl: string | null
  /** Whether each part of the portal is switched on. */
  features: {
    invoiceHistory: boolean
    paymentMethodUpdate: boolean
    subscriptionCancel: boolean
    subscriptionUpdate: boolean
  }
  /** The plans to switch between. */
  products: { productId: string; priceIds: string[] }[]
  /** The changes that wait for the period's end. */
  scheduleConditions: ('decreasing_item_amount' | 'shortening_interval')[]
}

/** The change that a portal session asks to confirm, instead of showing the portal's first page. */
export type PortalFlow = {
  subscriptionId: string
  itemId: string
  priceId: string
  quantity: number
  /** Where the flow leads once it is done; null for the portal's first page. */
  returnUrl: string | null
}

export type PortalSessionRecord = {
  id: string
  created: number
  customerId: string
  configurationId: string
  returnUrl: string | null
  url: string
  flow: PortalFlow | null
}
