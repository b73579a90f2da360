/** The fields that Stripe's own sample objects have, by the object's type; a dot leads into an object that is not null. */
export const sampleFields: Record<string, string> = {
  customer: `
    address address.city address.country address.line1 address.line2 address.postal_code address.state
    balance created currency default_source delinquent description discount email id invoice_prefix
    invoice_settings invoice_settings.custom_fields invoice_settings.default_payment_method
    invoice_settings.footer invoice_settings.rendering_options livemode metadata name
    next_invoice_sequence object phone preferred_locales shipping tax_exempt test_clock
  `,
  product: `
    active created default_price description id images livemode marketing_features metadata name object
    package_dimensions package_dimensions.height package_dimensions.length package_dimensions.weight
    package_dimensions.width shippable statement_descriptor tax_code type unit_label updated url
  `,
  price: `
    active billing_scheme created currency custom_unit_amount custom_unit_amount.maximum
    custom_unit_amount.minimum custom_unit_amount.preset id livemode lookup_key metadata nickname object
    product recurring recurring.interval recurring.interval_count recurring.meter
    recurring.trial_period_days recurring.usage_type tax_behavior tiers_mode transform_quantity
    transform_quantity.divide_by transform_quantity.round type unit_amount unit_amount_decimal
  `,
  coupon: `
    amount_off created currency duration duration_in_months id livemode max_redemptions metadata name
    object percent_off redeem_by times_redeemed valid
  `,
  promotion_code: `
    active code created customer customer_account expires_at id livemode max_redemptions metadata object
    promotion promotion.coupon promotion.type restrictions restrictions.first_time_transaction
    restrictions.minimum_amount restrictions.minimum_amount_currency times_redeemed
  `,
  discount: `
    checkout_session customer customer_account end id invoice invoice_item object promotion_code source
    start subscription subscription_item
  `,
  payment_method: `
    allow_redisplay billing_details billing_details.address billing_details.email billing_details.name
    billing_details.phone billing_details.tax_id card card.brand card.checks card.country
    card.display_brand card.exp_month card.exp_year card.fingerprint card.funding card.generated_from
    card.last4 card.networks card.regulated_status card.three_d_secure_usage card.wallet created customer
    customer_account id livemode metadata object type
  `,
  event: `
    api_version created data id livemode object pending_webhooks request request.id
    request.idempotency_key type
  `,
  'test_helpers.test_clock': `
    created deletes_after frozen_time id livemode name object status status_details
  `,
  subscription: `
    application application_fee_percent automatic_tax automatic_tax.disabled_reason automatic_tax.enabled
    automatic_tax.liability billing_cycle_anchor billing_cycle_anchor_config
    billing_cycle_anchor_config.day_of_month billing_cycle_anchor_config.hour
    billing_cycle_anchor_config.minute billing_cycle_anchor_config.month
    billing_cycle_anchor_config.second billing_mode billing_mode.flexible billing_mode.type
    billing_schedules billing_thresholds billing_thresholds.amount_gte
    billing_thresholds.reset_billing_cycle_anchor cancel_at cancel_at_period_end canceled_at
    cancellation_details cancellation_details.comment cancellation_details.feedback
    cancellation_details.reason collection_method created currency customer customer_account
    days_until_due default_payment_method default_source default_tax_rates description discounts ended_at
    id invoice_settings invoice_settings.account_tax_ids invoice_settings.custom_fields
    invoice_settings.description invoice_settings.footer invoice_settings.issuer items latest_invoice
    livemode managed_payments managed_payments.enabled metadata next_pending_invoice_item_invoice object
    on_behalf_of pause_collection pause_collection.behavior pause_collection.resumes_at payment_settings
    payment_settings.payment_method_options payment_settings.payment_method_types
    payment_settings.save_default_payment_method pending_invoice_item_interval
    pending_invoice_item_interval.interval pending_invoice_item_interval.interval_count
    pending_setup_intent pending_update pending_update.billing_cycle_anchor pending_update.discount
    pending_update.discounts pending_update.expires_at pending_update.metadata
    pending_update.subscription_items pending_update.trial_end pending_update.trial_from_plan schedule
    start_date status test_clock transfer_data transfer_data.amount_percent transfer_data.destination
    trial_end trial_settings trial_settings.end_behavior trial_start
  `,
  subscription_item: `
    billing_thresholds billing_thresholds.usage_gte created current_period_end current_period_start
    discounts id metadata object plan price quantity subscription tax_rates
  `,
  subscription_schedule: `
    application billing_mode billing_mode.flexible billing_mode.type canceled_at completed_at created
    current_phase current_phase.end_date current_phase.start_date customer customer_account
    default_settings default_settings.application_fee_percent default_settings.automatic_tax
    default_settings.billing_cycle_anchor default_settings.billing_thresholds
    default_settings.collection_method default_settings.default_payment_method
    default_settings.description default_settings.invoice_settings default_settings.on_behalf_of
    default_settings.transfer_data end_behavior id livemode metadata object phases released_at
    released_subscription status subscription test_clock
  `,
  invoice: `
    account_country account_name account_tax_ids amount_due amount_overpaid amount_paid amount_remaining
    amount_shipping application attempt_count attempted auto_advance automatic_tax
    automatic_tax.disabled_reason automatic_tax.enabled automatic_tax.liability automatic_tax.provider
    automatic_tax.status automatically_finalizes_at billing_reason collection_method created currency
    custom_fields customer customer_account customer_address customer_address.city
    customer_address.country customer_address.line1 customer_address.line2 customer_address.postal_code
    customer_address.state customer_email customer_name customer_phone customer_shipping
    customer_tax_exempt customer_tax_ids default_payment_method default_source default_tax_rates
    description discounts due_date effective_at ending_balance footer from_invoice from_invoice.action
    from_invoice.invoice hosted_invoice_url id invoice_pdf issuer issuer.type last_finalization_error
    latest_revision lines livemode metadata next_payment_attempt number object on_behalf_of parent
    payment_settings payment_settings.default_mandate payment_settings.payment_method_options
    payment_settings.payment_method_types period_end period_start post_payment_credit_notes_amount
    pre_payment_credit_notes_amount receipt_number rendering rendering.amount_tax_display rendering.pdf
    rendering.template rendering.template_version shipping_cost shipping_cost.amount_subtotal
    shipping_cost.amount_tax shipping_cost.amount_total shipping_cost.shipping_rate shipping_details
    starting_balance statement_descriptor status status_transitions status_transitions.finalized_at
    status_transitions.marked_uncollectible_at status_transitions.paid_at status_transitions.voided_at
    subtotal subtotal_excluding_tax test_clock total total_discount_amounts
    total_excluding_tax total_pretax_credit_amounts total_taxes webhooks_delivered_at
  `,
  line_item: `
    amount currency description discount_amounts discountable discounts id invoice livemode metadata
    object parent period period.end period.start pretax_credit_amounts pricing quantity quantity_decimal
    subscription subtotal taxes
  `,
  invoice_payment: `
    amount_paid amount_requested created currency id invoice is_default livemode object payment
    payment.type status status_transitions status_transitions.canceled_at status_transitions.paid_at
  `,
  payment_intent: `
    amount amount_capturable amount_details amount_details.tip amount_received application
    application_fee_amount automatic_payment_methods automatic_payment_methods.enabled canceled_at
    cancellation_reason capture_method client_secret confirmation_method created currency customer
    customer_account description excluded_payment_method_types id last_payment_error latest_charge
    livemode managed_payments managed_payments.enabled metadata next_action object on_behalf_of
    payment_method payment_method_configuration_details payment_method_options payment_method_types
    processing processing.type receipt_email review setup_future_usage shipping source
    statement_descriptor statement_descriptor_suffix status transfer_data transfer_data.destination
    transfer_group
  `,
  charge: `
    amount amount_captured amount_refunded application application_fee application_fee_amount
    balance_transaction billing_details billing_details.address billing_details.email billing_details.name
    billing_details.phone billing_details.tax_id calculated_statement_descriptor captured created currency
    customer description disputed failure_balance_transaction failure_code failure_message fraud_details
    id livemode metadata object on_behalf_of outcome outcome.advice_code outcome.network_advice_code
    outcome.network_decline_code outcome.network_status outcome.reason outcome.seller_message outcome.type
    paid payment_intent payment_method payment_method_details receipt_email receipt_number receipt_url
    refunded refunds review shipping source source_transfer statement_descriptor
    statement_descriptor_suffix status transfer_data transfer_data.amount transfer_data.destination
    transfer_group
  `,
  refund: `
    amount balance_transaction charge created currency customer customer_account destination_details id
    metadata object payment_intent payment_method reason receipt_number source_transfer_reversal status
    transfer_reversal
  `,
  dispute: `
    amount balance_transactions charge created currency enhanced_eligibility_types evidence
    evidence_details evidence_details.due_by evidence_details.enhanced_eligibility
    evidence_details.has_evidence evidence_details.past_due evidence_details.submission_count id
    is_charge_refundable livemode metadata object payment_intent payment_method_details reason status
  `,
  'checkout.session': `
    adaptive_pricing adaptive_pricing.enabled after_expiration after_expiration.recovery
    allow_promotion_codes amount_subtotal amount_total automatic_tax automatic_tax.enabled
    automatic_tax.liability automatic_tax.provider automatic_tax.status billing_address_collection
    cancel_url client_reference_id client_secret collected_information collected_information.business_name
    collected_information.individual_name collected_information.shipping_details consent
    consent.promotions consent.terms_of_service consent_collection
    consent_collection.payment_method_reuse_agreement consent_collection.promotions
    consent_collection.terms_of_service created currency currency_conversion custom_fields custom_text
    custom_text.after_submit custom_text.shipping_address custom_text.submit
    custom_text.terms_of_service_acceptance customer customer_account customer_creation customer_details
    customer_email discounts expires_at id integration_identifier invoice invoice_creation
    invoice_creation.enabled invoice_creation.invoice_data livemode locale managed_payments
    managed_payments.enabled metadata mode object origin_context payment_intent payment_link
    payment_method_collection payment_method_configuration_details payment_method_options
    payment_method_types payment_status permissions permissions.update_shipping_details
    phone_number_collection phone_number_collection.enabled recovered_from saved_payment_method_options
    saved_payment_method_options.allow_redisplay_filters
    saved_payment_method_options.payment_method_remove saved_payment_method_options.payment_method_save
    setup_intent shipping_address_collection shipping_address_collection.allowed_countries shipping_cost
    shipping_cost.amount_subtotal shipping_cost.amount_tax shipping_cost.amount_total
    shipping_cost.shipping_rate shipping_options status submit_type subscription success_url total_details
    total_details.amount_discount total_details.amount_shipping total_details.amount_tax ui_mode url
    wallet_options
  `,
  'billing_portal.configuration': `
    active application business_profile business_profile.headline business_profile.privacy_policy_url
    business_profile.terms_of_service_url created default_return_url features features.customer_update
    features.invoice_history features.payment_method_update features.subscription_cancel
    features.subscription_update id is_default livemode login_page login_page.enabled login_page.url
    metadata name object updated
  `,
  'billing_portal.session': `
    configuration created customer customer_account flow id livemode locale object on_behalf_of return_url
    url
  `,
}
