-- A pause lasts a year at most. Longer ones, which a forwarded link may have begun, end a year from now.
UPDATE member SET deliveries_paused_until = (current_date + interval '1 year')::date
WHERE deliveries_paused_until > (current_date + interval '1 year')::date;
