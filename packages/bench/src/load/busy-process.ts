/** Uses one core until it is ended, as a neighbor on the machine does. */
for (;;) Math.hypot(Math.random(), Math.random())
