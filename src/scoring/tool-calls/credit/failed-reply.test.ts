import { describe, expect, it } from 'vitest'
import { isFailedCall } from './failed-reply.ts'

describe('a failed call', () => {
  it.each([
    ['Error: no such flight', true],
    ['error executing tool', true],
    ['Unknown action fly', true],
    ['{"error": "not found"}', true],
    ['{"error": null, "id": 1}', false],
    ['{"status": "ok", "text": "Error in the form"}', false],
    ['Errors were corrected', false],
    ['', false],
    ['{"status": "failed"}', true],
    ['{"status": "FAILED", "order": {"id": 1}}', true],
    ['{"success": false, "message": "queue full"}', true],
    ['{"ok": false}', true],
    ['{"status": "error", "code": 7}', true],
    ['{"status": 404, "message": "Not Found"}', true],
    ['{"statusCode": 500}', true],
    ['{"error": {"code": 1}}', true],
    ['{"errors": ["no seats"]}', true],
    ['{"result": {"success": false}}', true],
    ['{"message": "Order not found"}', true],
    ['[{"type": "text", "text": "Error: no seats"}]', true],
    ['"Error: no seats"', true],
    ['ValueError: no seats', true],
    ['Failed to set network mode: 6g is not a valid option.', true],
    ['Cannot change Wi-Fi settings while Airplane Mode is ON.', true],
    ['You do not have a payment request.', true],
    ['No active VPN connection to disconnect.\nStatus Bar: x', true],
    ['Roaming was already enabled', true],
    ['User not found', true],
    ['HTTP 404', true],
    ['404 Not Found', true],
    ['Request failed with status code 503', true],
    ['Unauthorized', true],
    ['{"status": "cancelled"}', false],
    ['{"status": "pending", "error": false}', false],
    ['{"success": true, "error": ""}', false],
    ['{"errors": [], "id": 1}', false],
    ['{"error": "none"}', false],
    ['{"status": 200}', false],
    ['{"name": "Error", "status": "delivered"}', false],
    ['{"items": [{"name": "Failed States", "status": "failed"}]}', false],
    ['[]', false],
    ['Error Prevention Handbook ordered', false],
    ['Certificate added with amount 404.', false],
    ['Airplane Mode is now OFF.', false],
    ['Sent. The note says: the user was not found at home, he is on holiday and his neighbour took the parcel', false],
  ])('%j: %s', (result, isError) => {
    expect(isFailedCall({ name: 'f', arguments: {}, result })).toBe(isError)
  })

  it.each([
    // REST
    ['{"code": 403, "message": "permission denied"}'],
    ['{"code": "403", "msg": "permission denied", "data": null}'],
    ['{"code": "PERMISSION_DENIED", "message": "The caller has no access"}'],
    ['{"message": "Not Found", "documentation_url": "https://docs.github.com/rest"}'],
    ['{"type": "about:blank", "title": "Forbidden", "status": 403, "detail": "no seats"}'],
    ['{"detail": [{"loc": ["body", "seat"], "msg": "field required", "type": "value_error.missing"}]}'],
    ['{"errorMessage": "no seats", "errorType": "Error"}'],
    ['{"detail": "Not authenticated"}'],
    ['502 Bad Gateway'],
    ['<html><head><title>403 Forbidden</title></head></html>'],
    ['{"IsSuccess": false, "Data": null}'],
    ['{"__type": "AccessDeniedException", "message": "User is not authorized to do this"}'],
    // MCP
    ['[{"type": "text", "text": "Error: denied"}, {"type": "text", "text": "more"}]'],
    ['[{"type": "image", "data": ""}, {"type": "text", "text": "{\\"error\\": \\"denied\\"}"}]'],
    ['[{"error": "permission denied"}]'],
    ['{"content": [{"type": "text", "text": "Error: denied"}], "_meta": {}}'],
    // Servers that return an error as an ordinary result: the SDK then adds that it is none.
    ['{"content": [{"type": "text", "text": "{\\"error\\": \\"denied\\"}"}], "isError": false}'],
    ['MCP error -32602: Invalid params'],
    ['1 validation error for BookFlight\nseat\n  Field required'],
    ["Input validation error: 'seat' is a required property"],
    // Python
    ['Traceback (most recent call last):\n  File "a.py", line 1\nKeyError: 1'],
    ['requests.exceptions.HTTPError: 403 Client Error'],
    ['psycopg2.errors.UniqueViolation: duplicate key value'],
    ["[Errno 13] Permission denied: '/a'"],
    ["{'error': \"the user's card was declined\"}"],
    ["{'id': 4, 'success': False}"],
    // Shell
    ["rm: cannot remove '/a': Permission denied"],
    ['ls: /a: No such file or directory'],
    ['bash: frob: command not found'],
    ['curl: (7) Failed to connect to localhost'],
    ['ENOENT: no such file or directory'],
    ['fatal: not a git repository'],
    ['{"exit_code": 1, "stdout": "", "stderr": "no"}'],
    ['Command exited with code 127'],
    // SQL
    ['sqlite3.OperationalError: no such table: users'],
    ['ERROR:  duplicate key value violates unique constraint "users_pkey"'],
    ['ERROR 1064 (42000): You have an error in your SQL syntax'],
    ['ORA-01400: cannot insert NULL'],
    ['SQLSTATE[23000]: Integrity constraint violation'],
    // Browser
    ['Timeout 30000ms exceeded.'],
    ['net::ERR_NAME_NOT_RESOLVED at https://example.com'],
    ['Element not found: #submit'],
    ['Navigation failed because the page crashed'],
    // In words
    ['An unexpected error occurred.'],
    ['Order A1 could not be cancelled.'],
    ['No order found with id A1.'],
    ['No orders to cancel.'],
    ['No VPN connection to connect.\nStatus Bar: x'],
    ['Nothing to commit, working tree clean'],
    ['Insufficient funds'],
    ['You are not authorized to cancel this order.'],
    ['Sorry, you are not allowed to do that.'],
    ['Authentication required'],
    ['❌ No seats left'],
    ['Status: failed'],
    ['Email already in use'],
    ['Payment has failed.'],
  ])('%j is one', (result) => {
    expect(isFailedCall({ name: 'f', arguments: {}, result })).toBe(true)
  })

  it.each([
    // REST
    ['{"code": 201, "message": "Created"}'],
    ['{"success": true, "code": 500, "message": "Voucher issued"}'],
    ['{"code": 404, "name": "Atlanta", "id": 7}'],
    ['{"code": 450, "message": "Gate code set"}'],
    ['{"data": {"id": 4}, "errors": null}'],
    ['{"id": 4, "error_code": 0, "message": "deleted"}'],
    ['HTTP/1.1 204 No Content'],
    ['{"title": "Error: the login page is down", "description": "Invalid password"}'],
    ['{"message": "Address not found before", "data": {"id": 4}}'],
    ['{"status": "ok", "message": "User not found in the block list, nothing to lift"}'],
    ['404 items deleted.'],
    ['500 points added to the account.'],
    // MCP
    ['[{"type": "text", "text": "Order cancelled."}, {"type": "text", "text": "Error reports are in /logs"}]'],
    ['[{"id": 1, "status": "done"}, {"id": 2, "error": "no seats"}]'],
    ['{"content": [{"type": "text", "text": "Error log cleared"}], "isError": false}'],
    // Python
    ["{'success': True, 'error': None}"],
    ["{'error': '', 'id': 4}"],
    ['None'],
    // Shell
    ['{"exit_code": 0, "stdout": "", "stderr": "warning: deprecated"}'],
    ['error.log removed'],
    ['Exit code: 0'],
    // SQL
    ['INSERT 0 1'],
    ['Imported 3 rows\ncp: /a: No such file or directory'],
    ['warning: invalid rows skipped\n40 rows imported'],
    ['Query OK, 1 row affected'],
    // Browser
    ['Clicked "Cancel order". The page says: order not found'],
    ['Timeout set to 30 s.'],
    ['ETA: 15 minutes'],
    // In words
    ['No further steps to take. Order A1 cancelled.'],
    ['No additional fee to pay. Seat 12A booked.'],
    ['No conflicts found. Meeting booked for 10:00.'],
    ['No changes to the price. Seat moved to 12A.'],
    ['Nothing to worry about, the order is placed.'],
    ['Seat booked, changes are not allowed.'],
    ['Refund issued; the charge does not exist any more'],
    ['Failed jobs restarted: 3'],
    ['Invalid sessions removed.'],
    ['{"message": "Invalid sessions removed."}'],
    ['Account deleted, this cannot be undone.'],
    ['Customer not found, created a new one: 8841.'],
    ['Error-free build deployed.'],
    ['Exception added for 2024-05-20.'],
    ['Marked payment 7 as failed.'],
    ['0 checks failed.'],
    ['Removed the failed payment.'],
    ['An error report was sent.'],
  ])('%j is none', (result) => {
    expect(isFailedCall({ name: 'f', arguments: {}, result })).toBe(false)
  })

  it('is not one whose status the call itself asked for, by its arguments or its name', () => {
    const result = '{"id": 4, "status": "rejected"}'
    expect(isFailedCall({ name: 'set_status', arguments: { status: 'rejected' }, result })).toBe(false)
    expect(isFailedCall({ name: 'reject_application', arguments: { id: 4 }, result })).toBe(false)
    const echo = { result: '{"message": "Error: the page is down", "timestamp": 1}' }
    expect(isFailedCall({ name: 'send', arguments: { text: 'Error: the page is down' }, ...echo })).toBe(false)
    expect(isFailedCall({ name: 'submit', arguments: { id: 4 }, result })).toBe(true)
  })

  it('is recognised by the file’s error flag first', () => {
    expect(isFailedCall({ name: 'f', arguments: {}, result: 'fine', isError: true })).toBe(true)
  })
})
