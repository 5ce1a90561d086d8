"""One file a picture: draws the arrays that it is given, computes nothing."""
