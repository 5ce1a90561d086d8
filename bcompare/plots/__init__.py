"""One file a picture: draws the arrays that it is given, computes nothing.

`figure` holds what all pictures share: the page, how regions look, and saving. Every
``draw_…`` function returns a matplotlib `Figure` that belongs to no window.
"""
