import { describe, expect, it } from 'vitest'
import { changesSomething } from './effectful-tools.ts'

describe('which tools change something', () => {
  it.each([
    ['update_reservation_flights', true],
    ['get_user_details', false],
    ['transfer_to_human_agents', false],
    ['transfer_money', true],
    ['think', false],
    ['calculate', false],
    ['run_speed_test', false],
    ['toggle_roaming', true],
    ['getWeather', false],
    ['GetWeather', false],
    ['weather.get_forecast', false],
    ['mail.send', true],
    ['github__list_issues', false],
    ['frobnicate', true],
    ['gettysburg', true],
    // A writing verb anywhere makes it a write.
    ['get_and_delete_user', true],
    ['check_out_cart', true],
    ['checkOutCart', true],
    ['check_in_guest', true],
    ['find_or_create_customer', true],
    ['getOrCreateUser', true],
    ['lookup_and_update_record', true],
    ['search_and_replace', true],
    ['validate_and_submit_form', true],
    ['verify_then_charge', true],
    ['list_and_archive_mails', true],
    ['view_delete_message', true],
    ['estimate_and_book', true],
    // Nouns that are verbs elsewhere, questions and previews are not writes.
    ['get_order_details', false],
    ['get_booking', false],
    ['list_orders', false],
    ['search_book', false],
    ['check_in_stock', false],
    ['check_payment_request', false],
    ['get_update_history', false],
    ['check_cancel_policy', false],
    ['get_purchase_orders', false],
    ['find_store', false],
    ['can_send_mms', false],
    ['is_cancelled', false],
    ['has_paid', false],
    ['preview_update', false],
    ['estimate_refund', false],
    ['list_deleted_users', false],
    ['lookUpOrder', false],
    ['look_up_order', false],
  ])('%s: %s', (name, changes) => {
    expect(changesSomething(name)).toBe(changes)
  })
})
