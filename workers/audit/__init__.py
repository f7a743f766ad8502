"""
The audit loop: served decisions are sampled, people say whether they were right, and the share that
was right is reported with its interval.

* case       one served decision with its texts, as people judge it
* sample     which of them people look at
* terminal   one after the other at a terminal
* report     the share that was right, by language and by distance from the threshold
* wrong      the pairs that were not, to be banned
* fetch      the topics as a log
"""
