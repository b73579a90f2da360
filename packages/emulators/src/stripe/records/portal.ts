import type { Common } from './common.ts'

export type PortalConfigurationRecord = Common & {
  active: boolean
  isDefault: boolean
  updated: number
  name: string | null
  defaultReturnUrl: string | null
  businessProfile: {
    headline: string | null
    privacyPolicyUrl: string | null
    termsOfServiceUrl: string | null
  }
  features: {
    customerUpdate: { enabled: boolean; allowedUpdates: string[] }
    invoiceHistory: { enabled: boolean }
    paymentMethodUpdate: { enabled: boolean }
    subscriptionCancel: {
      enabled: boolean
      mode: 'at_period_end' | 'immediately'
      prorationBehavior: 'always_invoice' | 'create_prorations' | 'none'
      cancellationReason: { enabled: boolean; options: string[] }
    }
    subscriptionUpdate: {
      enabled: boolean
      defaultAllowedUpdates: string[]
      prorationBehavior: 'always_invoice' | 'create_prorations' | 'none'
      products: { productId: string; priceIds: string[] }[]
      /** Changes that wait for the period's end. */
      scheduleAtPeriodEnd: { conditions: ('decreasing_item_amount' | 'shortening_interval')[] }
      trialUpdateBehavior: 'continue_trial' | 'end_trial'
      billingCycleAnchor: 'now' | 'unchanged' | null
    }
  }
}

/** What a portal session leads straight to; null for its first page. */
export type PortalFlow =
  | { type: 'payment_method_update' }
  | { type: 'subscription_cancel'; subscriptionId: string }
  | { type: 'subscription_update'; subscriptionId: string }
  | {
      type: 'subscription_update_confirm'
      subscriptionId: string
      items: { itemId: string; priceId: string; quantity: number }[]
      discounts: { couponId: string | null; promotionCodeId: string | null }[]
    }

export type AfterCompletion =
  | { type: 'portal_homepage' }
  | { type: 'hosted_confirmation'; customMessage: string | null }
  | { type: 'redirect'; returnUrl: string }

export type PortalSessionRecord = {
  id: string
  created: number
  customerId: string
  configurationId: string
  returnUrl: string | null
  locale: string | null
  url: string
  flow: PortalFlow | null
  /** Where a flow leads once it is done. */
  afterCompletion: AfterCompletion
}
